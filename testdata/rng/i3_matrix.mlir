// (I3) shape: 1-dimensional tensor of type si64
// expect: violation rng_i3 (strict)
// expect: violation rng_i3 (mlir)
module {
  func.func @main(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<1x1xi64>) -> tensor<3xi32> {
    %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<i32>, tensor<i32>, tensor<1x1xi64>) -> tensor<3xi32>
    "func.return"(%0) : (tensor<3xi32>) -> ()
  }
}
