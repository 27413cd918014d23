// clause: uniform_quantize: a quantized operand is dequantized first (erratum E2)
// Every edge of one type in the parameters of another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-32768, -32767, -7, -3, -2, -1, 0, 1, 2, 3, 7, 15, 16, 32766, 32767]> : tensor<15xi16>
// expect: dense<[-128, -128, -8, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, 127, 127]> : tensor<15xi8>
module {
  func.func @main(%arg0: tensor<15x!quant.uniform<i16:f32, 1.000000e-02:100>>) -> tensor<15x!quant.uniform<i8:f32, 3.000000e-01:-4>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<15x!quant.uniform<i16:f32, 1.000000e-02:100>>) -> tensor<15x!quant.uniform<i8:f32, 3.000000e-01:-4>>
    "func.return"(%r0) : (tensor<15x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> ()
  }
}
