// clause: broadcast_in_dim: operand dimension d is result dimension broadcast_dimensions[d]
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<-1.5> : tensor<f32>
// expect: dense<[[-1.5, -1.5, -1.5], [-1.5, -1.5, -1.5]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<f32>) -> tensor<2x3xf32> {
    %r0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<2x3xf32>
    "func.return"(%r0) : (tensor<2x3xf32>) -> ()
  }
}
