// clause: quant.dcast: per-axis parameters go with their dimension
// Every slice has a scale and a zero point.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-26, 104], [70, -70], [75, 56]], [[34, 63], [-3, 20], [-59, -104]]]> : tensor<2x3x2xi8>
// expect: dense<[[[-14.5, 50.5], [33.5, -36.5], [36.0, 26.5]], [[10.25, 17.5], [1.0, 6.75], [-13.0, -24.25]]]> : tensor<2x3x2xf32>
module {
  func.func @main(%arg0: tensor<2x3x2x!quant.uniform<i8:f32:0, {5.000000e-01:3,2.500000e-01:-7}>>) -> tensor<2x3x2xf32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<2x3x2x!quant.uniform<i8:f32:0, {5.000000e-01:3,2.500000e-01:-7}>>) -> tensor<2x3x2xf32>
    "func.return"(%r0) : (tensor<2x3x2xf32>) -> ()
  }
}
