// clause: broadcast_in_dim: operand dimension d is result dimension broadcast_dimensions[d]
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-1.25, -0.75], [2.25, 6.0], [-3.0, -2.0]]> : tensor<3x2xf32>
// expect: dense<[[[-1.25, 2.25, -3.0], [-1.25, 2.25, -3.0], [-1.25, 2.25, -3.0], [-1.25, 2.25, -3.0]], [[-0.75, 6.0, -2.0], [-0.75, 6.0, -2.0], [-0.75, 6.0, -2.0], [-0.75, 6.0, -2.0]]]> : tensor<2x4x3xf32>
module {
  func.func @main(%arg0: tensor<3x2xf32>) -> tensor<2x4x3xf32> {
    %r0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 2, 0>} : (tensor<3x2xf32>) -> tensor<2x4x3xf32>
    "func.return"(%r0) : (tensor<2x4x3xf32>) -> ()
  }
}
