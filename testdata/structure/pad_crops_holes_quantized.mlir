// clause: pad: negative padding after interior padding
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-125, -83, -86, -75], [-53, 10, 56, -65], [86, -99, -69, -104]]> : tensor<3x4xi8>
// args: dense<-97> : tensor<i8>
// expect: dense<[[-97, -97, -97, -97, -97], [-97, -97, -97, -97, -97], [10, -97, 56, -97, -65], [-97, -97, -97, -97, -97]]> : tensor<4x5xi8>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<4x5x!quant.uniform<i8:f32, 5.000000e-01:3>> {
    %r0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: -1, -2>, edge_padding_high = array<i64: -2, 0>, interior_padding = array<i64: 2, 1>} : (tensor<3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<4x5x!quant.uniform<i8:f32, 5.000000e-01:3>>
    "func.return"(%r0) : (tensor<4x5x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> ()
  }
}
