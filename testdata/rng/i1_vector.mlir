// (I1) a, b: 0-dimensional
// expect: violation rng_i1 (strict)
// expect: violation rng_i1 (mlir)
module {
  func.func @main(%arg0: tensor<1xi32>, %arg1: tensor<i32>, %arg2: tensor<1xi64>) -> tensor<3xi32> {
    %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<1xi32>, tensor<i32>, tensor<1xi64>) -> tensor<3xi32>
    "func.return"(%0) : (tensor<3xi32>) -> ()
  }
}
