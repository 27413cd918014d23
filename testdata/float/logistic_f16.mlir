// clause: logistic: exact where the value is a number, limits at infinity, NaN outside of the domain
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, 0x7C00, 0xFC00, 0x7E00]> : tensor<4xf16>
// expect: dense<[0.5, 1.0, 0.0, 0x7E00]> : tensor<4xf16>
module {
  func.func @main(%arg0: tensor<4xf16>) -> tensor<4xf16> {
    %r0 = "stablehlo.logistic"(%arg0) : (tensor<4xf16>) -> tensor<4xf16>
    "func.return"(%r0) : (tensor<4xf16>) -> ()
  }
}
