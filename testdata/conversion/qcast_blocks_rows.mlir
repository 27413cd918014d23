// clause: quant.qcast: a scale and a zero point for each block
// Blocks of several sizes.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-9.0, -7.25], [-5.5, -3.75], [-2.0, -0.25], [1.5, 3.25]]> : tensor<4x2xf32>
// expect: dense<[[-17, -14], [-10, -6], [-10, -3], [4, 11]]> : tensor<4x2xi8>
module {
  func.func @main(%arg0: tensor<4x2xf32>) -> tensor<4x2x!quant.uniform<i8:f32:{0:2}, {{5.000000e-01:1}, {2.500000e-01:-2}}>> {
    %r0 = "quant.qcast"(%arg0) : (tensor<4x2xf32>) -> tensor<4x2x!quant.uniform<i8:f32:{0:2}, {{5.000000e-01:1}, {2.500000e-01:-2}}>>
    "func.return"(%r0) : (tensor<4x2x!quant.uniform<i8:f32:{0:2}, {{5.000000e-01:1}, {2.500000e-01:-2}}>>) -> ()
  }
}
