// clause: quant.qcast: per-axis parameters go with their dimension
// Every slice has a scale and a zero point.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-15.0, -12.25], [-9.5, -6.75], [-4.0, -1.25]], [[1.5, 4.25], [7.0, 9.75], [12.5, 15.25]]]> : tensor<2x3x2xf32>
// expect: dense<[[[-27, -22], [-45, -34], [-2, -1]], [[6, 12], [21, 32], [6, 8]]]> : tensor<2x3x2xi8>
module {
  func.func @main(%arg0: tensor<2x3x2xf32>) -> tensor<2x3x2x!quant.uniform<i8:f32:1, {5.000000e-01:3,2.500000e-01:-7,2.000000e+00}>> {
    %r0 = "quant.qcast"(%arg0) : (tensor<2x3x2xf32>) -> tensor<2x3x2x!quant.uniform<i8:f32:1, {5.000000e-01:3,2.500000e-01:-7,2.000000e+00}>>
    "func.return"(%r0) : (tensor<2x3x2x!quant.uniform<i8:f32:1, {5.000000e-01:3,2.500000e-01:-7,2.000000e+00}>>) -> ()
  }
}
