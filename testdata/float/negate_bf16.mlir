// clause: negate: negate flips the sign, of zero, too
// Values at the edges of the type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.0, 0x7F80, 0xFF80, 0x7FC0, 0.100097656, 256.0, 3.3895314e+38, -9.984021e-31, 7.25, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.5, -0.5, 8388608.0, -0.0, 9.999221e+09, 0x7F80, 0x7FC0]> : tensor<28xbf16>
// expect: dense<[-0.0, 0.0, -1.0, 1.5, -2.5, 0.5, -3.0, 0xFF80, 0x7F80, 0xFFC0, -0.100097656, -256.0, -3.3895314e+38, 9.984021e-31, -7.25, -0.5, 0.5, -1.5, 1.5, -2.5, 2.5, -0.5, 0.5, -8388608.0, 0.0, -9.999221e+09, 0xFF80, 0xFFC0]> : tensor<28xbf16>
module {
  func.func @main(%arg0: tensor<28xbf16>) -> tensor<28xbf16> {
    %r0 = "stablehlo.negate"(%arg0) : (tensor<28xbf16>) -> tensor<28xbf16>
    "func.return"(%r0) : (tensor<28xbf16>) -> ()
  }
}
