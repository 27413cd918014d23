// clause: quant.dcast: per-axis parameters go with their dimension
// Every slice has a scale and a zero point.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[65, 41], [31, 214], [95, 65]], [[15, 255], [182, 43], [1, 10]]]> : tensor<2x3x2xui8>
// expect: dense<[[[-6.3, 10.200001], [-9.7, 62.100002], [-3.3, 17.400002]], [[-11.3, 74.4], [5.4, 10.8], [-12.7, 0.90000004]]]> : tensor<2x3x2xf32>
module {
  func.func @main(%arg0: tensor<2x3x2x!quant.uniform<u8:f32:2, {1.000000e-01:128,3.000000e-01:7}>>) -> tensor<2x3x2xf32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<2x3x2x!quant.uniform<u8:f32:2, {1.000000e-01:128,3.000000e-01:7}>>) -> tensor<2x3x2xf32>
    "func.return"(%r0) : (tensor<2x3x2xf32>) -> ()
  }
}
