// clause: cholesky: dequantize, factor, quantize
// Scale 0.5.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[8, 4], [4, 20]]> : tensor<2x2xi8>
// expect: dense<[[4, 0], [2, 6]]> : tensor<2x2xi8>
module {
  func.func @main(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>> {
    %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
    "func.return"(%0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }
}
