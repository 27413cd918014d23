// clause: uniform_quantize: a quantized operand is dequantized first (erratum E2)
// Every edge of one type in the parameters of another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 1, 2, 3, 7, 15, 16, 65534, 65535]> : tensor<9xui16>
// expect: dense<[-128, -128, -128, -128, -128, -128, -128, 127, 127]> : tensor<9xi8>
module {
  func.func @main(%arg0: tensor<9x!quant.uniform<u16:f16, 5.000000e-01:1000>>) -> tensor<9x!quant.uniform<i8:f16, 3.000000e-01:-4>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<9x!quant.uniform<u16:f16, 5.000000e-01:1000>>) -> tensor<9x!quant.uniform<i8:f16, 3.000000e-01:-4>>
    "func.return"(%r0) : (tensor<9x!quant.uniform<i8:f16, 3.000000e-01:-4>>) -> ()
  }
}
