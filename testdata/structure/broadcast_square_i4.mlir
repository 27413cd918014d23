// clause: broadcast_in_dim: operand dimension d is result dimension broadcast_dimensions[d]
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[7, 2], [1, -1]]> : tensor<2x2xi4>
// expect: dense<[[7, 1], [2, -1]]> : tensor<2x2xi4>
module {
  func.func @main(%arg0: tensor<2x2xi4>) -> tensor<2x2xi4> {
    %r0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1, 0>} : (tensor<2x2xi4>) -> tensor<2x2xi4>
    "func.return"(%r0) : (tensor<2x2xi4>) -> ()
  }
}
