// clause: pad: low, high and interior padding, negative ones crop
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[91, 104, 48, -85], [82, 60, 69, -86], [-71, 112, -2, -8]]> : tensor<3x4xi8>
// args: dense<80> : tensor<i8>
// expect: dense<[[80, 80, 80], [104, 48, -85], [80, 80, 80], [60, 69, -86], [80, 80, 80], [112, -2, -8], [80, 80, 80], [80, 80, 80]]> : tensor<8x3xi8>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<8x3x!quant.uniform<i8:f32, 5.000000e-01:3>> {
    %r0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 2, 0>, interior_padding = array<i64: 1, 0>} : (tensor<3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<8x3x!quant.uniform<i8:f32, 5.000000e-01:3>>
    "func.return"(%r0) : (tensor<8x3x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> ()
  }
}
