// clause: uniform_quantize: a quantized operand is dequantized first (erratum E2)
// Every edge of one type in the parameters of another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-8, -7, -3, -2, -1, 0, 1, 2, 3, 4, 6, 7]> : tensor<12xi4>
// expect: dense<[-16, -14, -7, -6, -4, -2, -1, 1, 3, 4, 8, 9]> : tensor<12xi8>
module {
  func.func @main(%arg0: tensor<12x!quant.uniform<i4:f32, 5.000000e-01:-1>>) -> tensor<12x!quant.uniform<i8:f32, 3.000000e-01:-4>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<12x!quant.uniform<i4:f32, 5.000000e-01:-1>>) -> tensor<12x!quant.uniform<i8:f32, 3.000000e-01:-4>>
    "func.return"(%r0) : (tensor<12x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> ()
  }
}
