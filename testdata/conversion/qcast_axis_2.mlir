// clause: quant.qcast: per-axis parameters go with their dimension
// Every slice has a scale and a zero point.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-15.0, -12.25], [-9.5, -6.75], [-4.0, -1.25]], [[1.5, 4.25], [7.0, 9.75], [12.5, 15.25]]]> : tensor<2x3x2xf32>
// expect: dense<[[[0, 0], [33, 0], [88, 3]], [[143, 21], [198, 40], [253, 58]]]> : tensor<2x3x2xui8>
module {
  func.func @main(%arg0: tensor<2x3x2xf32>) -> tensor<2x3x2x!quant.uniform<u8:f32:2, {1.000000e-01:128,3.000000e-01:7}>> {
    %r0 = "quant.qcast"(%arg0) : (tensor<2x3x2xf32>) -> tensor<2x3x2x!quant.uniform<u8:f32:2, {1.000000e-01:128,3.000000e-01:7}>>
    "func.return"(%r0) : (tensor<2x3x2x!quant.uniform<u8:f32:2, {1.000000e-01:128,3.000000e-01:7}>>) -> ()
  }
}
