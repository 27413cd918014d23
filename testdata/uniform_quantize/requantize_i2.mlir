// clause: uniform_quantize: a quantized operand is dequantized first (erratum E2)
// Every edge of one type in the parameters of another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-2, -1, 0, 1]> : tensor<4xi2>
// expect: dense<[-11, -7, -4, -1]> : tensor<4xi8>
module {
  func.func @main(%arg0: tensor<4x!quant.uniform<i2:f32, 1.000000e+00>>) -> tensor<4x!quant.uniform<i8:f32, 3.000000e-01:-4>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x!quant.uniform<i2:f32, 1.000000e+00>>) -> tensor<4x!quant.uniform<i8:f32, 3.000000e-01:-4>>
    "func.return"(%r0) : (tensor<4x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> ()
  }
}
