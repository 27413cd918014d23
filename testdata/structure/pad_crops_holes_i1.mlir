// clause: pad: negative padding after interior padding
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[false, false, false, true], [true, true, false, false], [true, false, false, false]]> : tensor<3x4xi1>
// args: dense<false> : tensor<i1>
// expect: dense<[[false, false, false, false, false], [false, false, false, false, false], [true, false, false, false, false], [false, false, false, false, false]]> : tensor<4x5xi1>
module {
  func.func @main(%arg0: tensor<3x4xi1>, %arg1: tensor<i1>) -> tensor<4x5xi1> {
    %r0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: -1, -2>, edge_padding_high = array<i64: -2, 0>, interior_padding = array<i64: 2, 1>} : (tensor<3x4xi1>, tensor<i1>) -> tensor<4x5xi1>
    "func.return"(%r0) : (tensor<4x5xi1>) -> ()
  }
}
