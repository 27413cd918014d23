// (I4) rng_distribution: enum
// expect: violation rng_i4 (strict)
// expect: violation rng_i4 (mlir)
module {
  func.func @main(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<1xi64>) -> tensor<3xi32> {
    %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<3xi32>
    "func.return"(%0) : (tensor<3xi32>) -> ()
  }
}
