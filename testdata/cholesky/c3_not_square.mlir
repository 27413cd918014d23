// (C3) dim(a, -2) = dim(a, -1)
// expect: violation cholesky_c3 (strict)
// expect: violation cholesky_c3 (mlir)
module {
  func.func @main(%arg0: tensor<3x2xf32>) -> tensor<3x2xf32> {
    %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<3x2xf32>) -> tensor<3x2xf32>
    "func.return"(%0) : (tensor<3x2xf32>) -> ()
  }
}
