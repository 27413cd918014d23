// clause: pad: low, high and interior padding, negative ones crop
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[7, -8, -1, 6], [2, -4, -5, 5], [2, 4, -8, 6]]> : tensor<3x4xi4>
// args: dense<4> : tensor<i4>
// expect: dense<[[4, 4, 4], [-8, -1, 6], [4, 4, 4], [-4, -5, 5], [4, 4, 4], [4, -8, 6], [4, 4, 4], [4, 4, 4]]> : tensor<8x3xi4>
module {
  func.func @main(%arg0: tensor<3x4xi4>, %arg1: tensor<i4>) -> tensor<8x3xi4> {
    %r0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 2, 0>, interior_padding = array<i64: 1, 0>} : (tensor<3x4xi4>, tensor<i4>) -> tensor<8x3xi4>
    "func.return"(%r0) : (tensor<8x3xi4>) -> ()
  }
}
