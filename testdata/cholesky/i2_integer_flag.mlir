// (I2) lower: constant of type i1
// expect: violation cholesky_i2 (strict)
// expect: violation cholesky_i2 (mlir)
module {
  func.func @main(%arg0: tensor<3x3xf32>) -> tensor<3x3xf32> {
    %0 = "stablehlo.cholesky"(%arg0) {lower = 1 : i64} : (tensor<3x3xf32>) -> tensor<3x3xf32>
    "func.return"(%0) : (tensor<3x3xf32>) -> ()
  }
}
