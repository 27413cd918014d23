// clause: broadcast_in_dim: operand dimension d is result dimension broadcast_dimensions[d]
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[5, 54, -120]]> : tensor<1x3xi8>
// expect: dense<[[5, 54, -120], [5, 54, -120]]> : tensor<2x3xi8>
module {
  func.func @main(%arg0: tensor<1x3xi8>) -> tensor<2x3xi8> {
    %r0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x3xi8>) -> tensor<2x3xi8>
    "func.return"(%r0) : (tensor<2x3xi8>) -> ()
  }
}
