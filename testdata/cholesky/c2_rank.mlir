// (C2) 2 <= rank(a)
// expect: violation cholesky_c2 (strict)
// expect: violation cholesky_c2 (mlir)
module {
  func.func @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<3xf32>) -> tensor<3xf32>
    "func.return"(%0) : (tensor<3xf32>) -> ()
  }
}
