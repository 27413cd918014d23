// (I1) a: of floating-point or complex or per-tensor quantized type
// expect: violation cholesky_i1 (strict)
// expect: violation cholesky_i1 (mlir)
module {
  func.func @main(%arg0: tensor<3x3xi32>) -> tensor<3x3xi32> {
    %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<3x3xi32>) -> tensor<3x3xi32>
    "func.return"(%0) : (tensor<3x3xi32>) -> ()
  }
}
