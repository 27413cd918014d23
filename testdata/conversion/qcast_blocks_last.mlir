// clause: quant.qcast: a scale and a zero point for each block
// Blocks of several sizes.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-9.0, -7.25, -5.5, -3.75, -2.0, -0.25], [1.5, 3.25, 5.0, 6.75, 8.5, 10.25]]> : tensor<2x6xf32>
// expect: dense<[[0, 0, 0, 116, 121, 127], [8, 15, 22, 16, 18, 19]]> : tensor<2x6xui8>
module {
  func.func @main(%arg0: tensor<2x6xf32>) -> tensor<2x6x!quant.uniform<u8:f32:{0:1, 1:3}, {{5.000000e-01:1, 3.000000e-01:-128}, {2.500000e-01:2, 1.000000e+00:9}}>> {
    %r0 = "quant.qcast"(%arg0) : (tensor<2x6xf32>) -> tensor<2x6x!quant.uniform<u8:f32:{0:1, 1:3}, {{5.000000e-01:1, 3.000000e-01:-128}, {2.500000e-01:2, 1.000000e+00:9}}>>
    "func.return"(%r0) : (tensor<2x6x!quant.uniform<u8:f32:{0:1, 1:3}, {{5.000000e-01:1, 3.000000e-01:-128}, {2.500000e-01:2, 1.000000e+00:9}}>>) -> ()
  }
}
