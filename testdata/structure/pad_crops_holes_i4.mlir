// clause: pad: negative padding after interior padding
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-3, -2, -3, -8], [-2, 6, -5, -7], [1, 4, -4, -8]]> : tensor<3x4xi4>
// args: dense<2> : tensor<i4>
// expect: dense<[[2, 2, 2, 2, 2], [2, 2, 2, 2, 2], [6, 2, -5, 2, -7], [2, 2, 2, 2, 2]]> : tensor<4x5xi4>
module {
  func.func @main(%arg0: tensor<3x4xi4>, %arg1: tensor<i4>) -> tensor<4x5xi4> {
    %r0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: -1, -2>, edge_padding_high = array<i64: -2, 0>, interior_padding = array<i64: 2, 1>} : (tensor<3x4xi4>, tensor<i4>) -> tensor<4x5xi4>
    "func.return"(%r0) : (tensor<4x5xi4>) -> ()
  }
}
