// clause: broadcast_in_dim: operand dimension d is result dimension broadcast_dimensions[d]
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-4.25, 2.75], [-1.5, -3.75]]> : tensor<2x2xf32>
// expect: dense<[[-4.25, -1.5], [2.75, -3.75]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %r0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    "func.return"(%r0) : (tensor<2x2xf32>) -> ()
  }
}
