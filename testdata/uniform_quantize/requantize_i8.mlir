// clause: uniform_quantize: a quantized operand is dequantized first (erratum E2)
// Every edge of one type in the parameters of another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-128, -127, -7, -3, -2, -1, 0, 1, 2, 3, 7, 8, 126, 127]> : tensor<14xi8>
// expect: dense<[-128, -128, -21, -14, -12, -11, -9, -7, -6, -4, 3, 4, 127, 127]> : tensor<14xi8>
module {
  func.func @main(%arg0: tensor<14x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<14x!quant.uniform<i8:f32, 3.000000e-01:-4>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<14x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<14x!quant.uniform<i8:f32, 3.000000e-01:-4>>
    "func.return"(%r0) : (tensor<14x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> ()
  }
}
