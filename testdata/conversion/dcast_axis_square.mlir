// clause: quant.dcast: per-axis parameters go with their dimension
// Every slice has a scale and a zero point.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[12, -123], [39, 81]], [[85, 105], [-102, -127]]]> : tensor<2x2x2xi8>
// expect: dense<[[[4.5, -63.0], [11.5, 22.0]], [[41.0, 51.0], [-23.75, -3.0e+01]]]> : tensor<2x2x2xf32>
module {
  func.func @main(%arg0: tensor<2x2x2x!quant.uniform<i8:f32:1, {5.000000e-01:3,2.500000e-01:-7}>>) -> tensor<2x2x2xf32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<2x2x2x!quant.uniform<i8:f32:1, {5.000000e-01:3,2.500000e-01:-7}>>) -> tensor<2x2x2xf32>
    "func.return"(%r0) : (tensor<2x2x2xf32>) -> ()
  }
}
