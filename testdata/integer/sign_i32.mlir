// clause: sign: the sign of an integer
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-2147483648, -2147483647, -7, -3, -2, -1, 0, 1, 2, 3, 7, 31, 32, 2147483646, 2147483647]> : tensor<15xi32>
// expect: dense<[-1, -1, -1, -1, -1, -1, 0, 1, 1, 1, 1, 1, 1, 1, 1]> : tensor<15xi32>
module {
  func.func @main(%arg0: tensor<15xi32>) -> tensor<15xi32> {
    %r0 = "stablehlo.sign"(%arg0) : (tensor<15xi32>) -> tensor<15xi32>
    "func.return"(%r0) : (tensor<15xi32>) -> ()
  }
}
