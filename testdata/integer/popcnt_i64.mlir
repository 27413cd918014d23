// clause: popcnt: the number of bits set
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-9223372036854775808, -9223372036854775807, -7, -3, -2, -1, 0, 1, 2, 3, 7, 63, 64, 9223372036854775806, 9223372036854775807]> : tensor<15xi64>
// expect: dense<[1, 2, 62, 63, 63, 64, 0, 1, 1, 2, 3, 6, 1, 62, 63]> : tensor<15xi64>
module {
  func.func @main(%arg0: tensor<15xi64>) -> tensor<15xi64> {
    %r0 = "stablehlo.popcnt"(%arg0) : (tensor<15xi64>) -> tensor<15xi64>
    "func.return"(%r0) : (tensor<15xi64>) -> ()
  }
}
