// (C1) element_type(a) = element_type(b) = element_type(result)
// expect: violation rng_c1 (strict)
// expect: violation rng_c1 (mlir)
module {
  func.func @main(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<1xi64>) -> tensor<3xi16> {
    %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<3xi16>
    "func.return"(%0) : (tensor<3xi16>) -> ()
  }
}
