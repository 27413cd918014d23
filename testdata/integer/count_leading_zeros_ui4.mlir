// clause: count_leading_zeros: the number of leading zeros, of a zero the width
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 1, 2, 3, 4, 7, 14, 15]> : tensor<8xui4>
// expect: dense<[4, 3, 2, 2, 1, 1, 0, 0]> : tensor<8xui4>
module {
  func.func @main(%arg0: tensor<8xui4>) -> tensor<8xui4> {
    %r0 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<8xui4>) -> tensor<8xui4>
    "func.return"(%r0) : (tensor<8xui4>) -> ()
  }
}
