// clause: quant.dcast: per-axis parameters go with their dimension
// Every slice has a scale and a zero point.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-126, 73], [-66, 100], [-7, 90]], [[-54, -9], [58, -6], [73, 13]]]> : tensor<2x3x2xi8>
// expect: dense<[[[-64.5, 35.0], [-14.75, 26.75], [-14.0, 1.8e+02]], [[-28.5, -6.0], [16.25, 0.25], [146.0, 26.0]]]> : tensor<2x3x2xf32>
module {
  func.func @main(%arg0: tensor<2x3x2x!quant.uniform<i8:f32:1, {5.000000e-01:3,2.500000e-01:-7,2.000000e+00}>>) -> tensor<2x3x2xf32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<2x3x2x!quant.uniform<i8:f32:1, {5.000000e-01:3,2.500000e-01:-7,2.000000e+00}>>) -> tensor<2x3x2xf32>
    "func.return"(%r0) : (tensor<2x3x2xf32>) -> ()
  }
}
