// clause: quant.dcast: a scale and a zero point for each block
// Blocks of several sizes.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[118, 21, 14, 124, 132, 140], [14, 168, 22, 96, 171, 251]]> : tensor<2x6xui8>
// expect: dense<[[58.5, 1.0e+01, 6.5, -1.2, 1.2, 3.6000001], [3.0, 41.5, 5.0, 87.0, 162.0, 242.0]]> : tensor<2x6xf32>
module {
  func.func @main(%arg0: tensor<2x6x!quant.uniform<u8:f32:{0:1, 1:3}, {{5.000000e-01:1, 3.000000e-01:-128}, {2.500000e-01:2, 1.000000e+00:9}}>>) -> tensor<2x6xf32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<2x6x!quant.uniform<u8:f32:{0:1, 1:3}, {{5.000000e-01:1, 3.000000e-01:-128}, {2.500000e-01:2, 1.000000e+00:9}}>>) -> tensor<2x6xf32>
    "func.return"(%r0) : (tensor<2x6xf32>) -> ()
  }
}
