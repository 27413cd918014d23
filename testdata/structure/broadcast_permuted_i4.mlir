// clause: broadcast_in_dim: operand dimension d is result dimension broadcast_dimensions[d]
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[4, 0], [-8, -4], [6, -6]]> : tensor<3x2xi4>
// expect: dense<[[[4, -8, 6], [4, -8, 6], [4, -8, 6], [4, -8, 6]], [[0, -4, -6], [0, -4, -6], [0, -4, -6], [0, -4, -6]]]> : tensor<2x4x3xi4>
module {
  func.func @main(%arg0: tensor<3x2xi4>) -> tensor<2x4x3xi4> {
    %r0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 2, 0>} : (tensor<3x2xi4>) -> tensor<2x4x3xi4>
    "func.return"(%r0) : (tensor<2x4x3xi4>) -> ()
  }
}
