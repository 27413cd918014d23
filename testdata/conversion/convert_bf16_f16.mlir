// clause: convert: one rounding to floats; integers wrap; floats truncate and saturate, NaN gives 0
// Bounds, ties, fractions and what does not fit.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 126.5, 127.5, -128.0, 2.0e+02, 256.0, -1.0, 3.0e+02, -3.0e+02, 9.999221e+09, -9.999221e+09, 2.1474836e+09, -2.1474836e+09, 9.29543e+18, -9.29543e+18, 1.9023205e+19, 65536.0, 65536.0, 1.00025555e+30, 0x7F80, 0xFF80, 0x7FC0, 0.100097656, 256.0, 0x7FC0]> : tensor<31xbf16>
// expect: dense<[0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 126.5, 127.5, -128.0, 2.0e+02, 256.0, -1.0, 3.0e+02, -3.0e+02, 0x7C00, 0xFC00, 0x7C00, 0xFC00, 0x7C00, 0xFC00, 0x7C00, 0x7C00, 0x7C00, 0x7C00, 0x7C00, 0xFC00, 0x7E00, 0.1001, 256.0, 0x7E00]> : tensor<31xf16>
module {
  func.func @main(%arg0: tensor<31xbf16>) -> tensor<31xf16> {
    %r0 = "stablehlo.convert"(%arg0) : (tensor<31xbf16>) -> tensor<31xf16>
    "func.return"(%r0) : (tensor<31xf16>) -> ()
  }
}
