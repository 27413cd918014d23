// clause: broadcast_in_dim: operand dimension d is result dimension broadcast_dimensions[d]
// All elements differ, where the type has enough of them; sizes differ, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[29, -56], [-36, -39], [-2, 127]]> : tensor<3x2xi8>
// expect: dense<[[[29, -36, -2], [29, -36, -2], [29, -36, -2], [29, -36, -2]], [[-56, -39, 127], [-56, -39, 127], [-56, -39, 127], [-56, -39, 127]]]> : tensor<2x4x3xi8>
module {
  func.func @main(%arg0: tensor<3x2xi8>) -> tensor<2x4x3xi8> {
    %r0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 2, 0>} : (tensor<3x2xi8>) -> tensor<2x4x3xi8>
    "func.return"(%r0) : (tensor<2x4x3xi8>) -> ()
  }
}
