// clause: quant.qcast: a scale and a zero point for each block
// Blocks of several sizes.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-9.0, -7.25, -5.5, -3.75], [-2.0, -0.25, 1.5, 3.25], [5.0, 6.75, 8.5, 10.25], [12.0, 13.75, 15.5, 17.25]]> : tensor<4x4xf32>
// expect: dense<[[-17, -14, -3, -2], [-3, 0, 1, 2], [18, 25, 14, 15], [46, 53, 20, 22]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4xf32>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{5.000000e-01:1, 2.000000e+00}, {2.500000e-01:-2, 1.000000e+00:5}}>> {
    %r0 = "quant.qcast"(%arg0) : (tensor<4x4xf32>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{5.000000e-01:1, 2.000000e+00}, {2.500000e-01:-2, 1.000000e+00:5}}>>
    "func.return"(%r0) : (tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{5.000000e-01:1, 2.000000e+00}, {2.500000e-01:-2, 1.000000e+00:5}}>>) -> ()
  }
}
