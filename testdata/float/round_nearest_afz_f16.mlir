// clause: round_nearest_afz: ties away from zero
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.0, 0x7C00, 0xFC00, 0x7E00, 0.1, 2048.0, 6.55e+04, -6.0e-08, 7.25, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.5, -0.5, 0x7C00, -0.0, 0x7C00, 0x7C00, 0x7E00]> : tensor<28xf16>
// expect: dense<[0.0, -0.0, 1.0, -2.0, 3.0, -1.0, 3.0, 0x7C00, 0xFC00, 0x7E00, 0.0, 2048.0, 6.55e+04, -0.0, 7.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 1.0, -1.0, 0x7C00, -0.0, 0x7C00, 0x7C00, 0x7E00]> : tensor<28xf16>
module {
  func.func @main(%arg0: tensor<28xf16>) -> tensor<28xf16> {
    %r0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<28xf16>) -> tensor<28xf16>
    "func.return"(%r0) : (tensor<28xf16>) -> ()
  }
}
