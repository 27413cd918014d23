// clause: quant.dcast: a scale and a zero point for each block
// Blocks of several sizes.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-42, 85, -123, -32], [74, -22, -44, 106], [-34, 83, 84, -101], [-66, -87, -34, -13]]> : tensor<4x4xi8>
// expect: dense<[[-21.5, 42.0, -246.0, -64.0], [36.5, -11.5, -88.0, 212.0], [-8.0, 21.25, 79.0, -106.0], [-16.0, -21.25, -39.0, -18.0]]> : tensor<4x4xf32>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{5.000000e-01:1, 2.000000e+00}, {2.500000e-01:-2, 1.000000e+00:5}}>>) -> tensor<4x4xf32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{5.000000e-01:1, 2.000000e+00}, {2.500000e-01:-2, 1.000000e+00:5}}>>) -> tensor<4x4xf32>
    "func.return"(%r0) : (tensor<4x4xf32>) -> ()
  }
}
