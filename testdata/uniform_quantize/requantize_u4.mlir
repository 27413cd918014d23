// clause: uniform_quantize: a quantized operand is dequantized first (erratum E2)
// Every edge of one type in the parameters of another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 1, 2, 3, 4, 7, 14, 15]> : tensor<8xui4>
// expect: dense<[-27, -24, -21, -17, -14, -4, 19, 23]> : tensor<8xi8>
module {
  func.func @main(%arg0: tensor<8x!quant.uniform<u4:f32, 1.000000e+00:7>>) -> tensor<8x!quant.uniform<i8:f32, 3.000000e-01:-4>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<8x!quant.uniform<u4:f32, 1.000000e+00:7>>) -> tensor<8x!quant.uniform<i8:f32, 3.000000e-01:-4>>
    "func.return"(%r0) : (tensor<8x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> ()
  }
}
