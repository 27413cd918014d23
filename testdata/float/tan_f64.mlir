// clause: tan: exact where the value is a number, limits at infinity, NaN outside of the domain
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<4xf64>
// expect: dense<[0.0, -0.0, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<4xf64>
module {
  func.func @main(%arg0: tensor<4xf64>) -> tensor<4xf64> {
    %r0 = "stablehlo.tan"(%arg0) : (tensor<4xf64>) -> tensor<4xf64>
    "func.return"(%r0) : (tensor<4xf64>) -> ()
  }
}
