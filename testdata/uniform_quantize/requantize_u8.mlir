// clause: uniform_quantize: a quantized operand is dequantized first (erratum E2)
// Every edge of one type in the parameters of another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 1, 2, 3, 7, 8, 254, 255]> : tensor<8xui8>
// expect: dense<[-47, -46, -46, -46, -44, -44, 38, 38]> : tensor<8xi8>
module {
  func.func @main(%arg0: tensor<8x!quant.uniform<u8:f32, 1.000000e-01:128>>) -> tensor<8x!quant.uniform<i8:f32, 3.000000e-01:-4>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<8x!quant.uniform<u8:f32, 1.000000e-01:128>>) -> tensor<8x!quant.uniform<i8:f32, 3.000000e-01:-4>>
    "func.return"(%r0) : (tensor<8x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> ()
  }
}
