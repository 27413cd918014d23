// clause: rsqrt: exact where the value is a number, limits at infinity, NaN outside of the domain
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[4.0, 0.25, 1.0, 0.0, -0.0, 0x7C00, -1.0, 0x7E00]> : tensor<8xf16>
// expect: dense<[0.5, 2.0, 1.0, 0x7C00, 0xFC00, 0.0, 0x7E00, 0x7E00]> : tensor<8xf16>
module {
  func.func @main(%arg0: tensor<8xf16>) -> tensor<8xf16> {
    %r0 = "stablehlo.rsqrt"(%arg0) : (tensor<8xf16>) -> tensor<8xf16>
    "func.return"(%r0) : (tensor<8xf16>) -> ()
  }
}
