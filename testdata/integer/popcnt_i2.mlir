// clause: popcnt: the number of bits set
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-2, -1, 0, 1]> : tensor<4xi2>
// expect: dense<[1, -2, 0, 1]> : tensor<4xi2>
module {
  func.func @main(%arg0: tensor<4xi2>) -> tensor<4xi2> {
    %r0 = "stablehlo.popcnt"(%arg0) : (tensor<4xi2>) -> tensor<4xi2>
    "func.return"(%r0) : (tensor<4xi2>) -> ()
  }
}
