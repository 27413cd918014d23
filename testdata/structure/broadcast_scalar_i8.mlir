// clause: broadcast_in_dim: operand dimension d is result dimension broadcast_dimensions[d]
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<68> : tensor<i8>
// expect: dense<[[68, 68, 68], [68, 68, 68]]> : tensor<2x3xi8>
module {
  func.func @main(%arg0: tensor<i8>) -> tensor<2x3xi8> {
    %r0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64>} : (tensor<i8>) -> tensor<2x3xi8>
    "func.return"(%r0) : (tensor<2x3xi8>) -> ()
  }
}
