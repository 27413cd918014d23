// A quantized operand.
// expect: no violation (strict)
// expect: no violation (mlir)
module {
  func.func @main(%arg0: tensor<3x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x3x!quant.uniform<i8:f32, 0.5>> {
    %0 = "stablehlo.cholesky"(%arg0) {lower = false} : (tensor<3x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x3x!quant.uniform<i8:f32, 0.5>>
    "func.return"(%0) : (tensor<3x3x!quant.uniform<i8:f32, 0.5>>) -> ()
  }
}
