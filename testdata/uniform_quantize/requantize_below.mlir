// clause: uniform_quantize: a quantized operand is dequantized first (erratum E2)
// Every edge of one type in the parameters of another.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-100, -99, -11, -10]> : tensor<4xi8>
// expect: dense<[-87, -86, 61, 63]> : tensor<4xi8>
module {
  func.func @main(%arg0: tensor<4x!quant.uniform<i8<-100:-10>:f32, 5.000000e-01:-50>>) -> tensor<4x!quant.uniform<i8:f32, 3.000000e-01:-4>> {
    %r0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x!quant.uniform<i8<-100:-10>:f32, 5.000000e-01:-50>>) -> tensor<4x!quant.uniform<i8:f32, 3.000000e-01:-4>>
    "func.return"(%r0) : (tensor<4x!quant.uniform<i8:f32, 3.000000e-01:-4>>) -> ()
  }
}
