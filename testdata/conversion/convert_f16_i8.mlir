// clause: convert: one rounding to floats; integers wrap; floats truncate and saturate, NaN gives 0
// Bounds, ties, fractions and what does not fit.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 126.5, 127.5, -128.5, 2.0e+02, 255.5, -1.0, 3.0e+02, -3.0e+02, 6.55e+04, 0x7C00, 0x7C00, 0xFC00, 0.1, 257.0, 0x7E00]> : tensor<22xf16>
// expect: dense<[0, 0, 0, 0, 1, 2, -2, 126, 127, -128, 127, 127, -1, 127, -128, 127, 127, 127, -128, 0, 127, 0]> : tensor<22xi8>
module {
  func.func @main(%arg0: tensor<22xf16>) -> tensor<22xi8> {
    %r0 = "stablehlo.convert"(%arg0) : (tensor<22xf16>) -> tensor<22xi8>
    "func.return"(%r0) : (tensor<22xi8>) -> ()
  }
}
