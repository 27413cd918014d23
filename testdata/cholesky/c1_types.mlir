// (C1) baseline_type(a) = baseline_type(result)
// expect: violation cholesky_c1 (strict)
// expect: violation cholesky_c1 (mlir)
module {
  func.func @main(%arg0: tensor<3x3xf32>) -> tensor<3x3xf64> {
    %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<3x3xf32>) -> tensor<3x3xf64>
    "func.return"(%0) : (tensor<3x3xf64>) -> ()
  }
}
