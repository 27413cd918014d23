// clause: quant.dcast: a scale and a zero point for each block
// Blocks of several sizes.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-80, 81], [26, -25], [-48, 119], [68, -103]]> : tensor<4x2xi8>
// expect: dense<[[-40.5, 4.0e+01], [12.5, -13.0], [-11.5, 30.25], [17.5, -25.25]]> : tensor<4x2xf32>
module {
  func.func @main(%arg0: tensor<4x2x!quant.uniform<i8:f32:{0:2}, {{5.000000e-01:1}, {2.500000e-01:-2}}>>) -> tensor<4x2xf32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<4x2x!quant.uniform<i8:f32:{0:2}, {{5.000000e-01:1}, {2.500000e-01:-2}}>>) -> tensor<4x2xf32>
    "func.return"(%r0) : (tensor<4x2xf32>) -> ()
  }
}
