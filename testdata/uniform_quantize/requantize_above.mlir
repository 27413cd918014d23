// clause: uniform_quantize: a quantized operand is dequantized first (erratum E2)
// Every edge of one type in the parameters of another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[16, 17, 239, 240]> : tensor<4xui8>
// expect: dense<[-128, -128, 127, 127]> : tensor<4xi8>
module {
  func.func @main(%arg0: tensor<4x!quant.uniform<u8<16:240>:f32, 5.000000e-01:100>>) -> tensor<4x!quant.uniform<i8:f32, 3.000000e-01:-4>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x!quant.uniform<u8<16:240>:f32, 5.000000e-01:100>>) -> tensor<4x!quant.uniform<i8:f32, 3.000000e-01:-4>>
    "func.return"(%r0) : (tensor<4x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> ()
  }
}
