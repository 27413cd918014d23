// clause: count_leading_zeros: the number of leading zeros, of a zero the width
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-9223372036854775808, -9223372036854775807, -7, -3, -2, -1, 0, 1, 2, 3, 7, 63, 64, 9223372036854775806, 9223372036854775807]> : tensor<15xi64>
// expect: dense<[0, 0, 0, 0, 0, 0, 64, 63, 62, 62, 61, 58, 57, 1, 1]> : tensor<15xi64>
module {
  func.func @main(%arg0: tensor<15xi64>) -> tensor<15xi64> {
    %r0 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<15xi64>) -> tensor<15xi64>
    "func.return"(%r0) : (tensor<15xi64>) -> ()
  }
}
