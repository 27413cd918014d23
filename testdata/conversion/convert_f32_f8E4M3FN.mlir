// clause: convert: one rounding to floats; integers wrap; floats truncate and saturate, NaN gives 0
// Bounds, ties, fractions and what does not fit.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 126.5, 127.5, -128.5, 2.0e+02, 255.5, -1.0, 3.0e+02, -3.0e+02, 1.0e+10, -1.0e+10, 2.1474836e+09, -2.147484e+09, 9.3e+18, -9.3e+18, 1.9e+19, 65519.0, 6.552e+04, 1.0e+30, 0x7F800000, 0xFF800000, 0x7FC00000, 0.1, 257.0, 0x7FC00000]> : tensor<31xf32>
// expect: dense<[0x00, 0x80, 0x30, 0xB0, 0x3C, 0x42, 0xC2, 0x70, 0x70, 0xF0, 0x74, 0x78, 0xB8, 0x79, 0xF9, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x1D, 0x78, 0x7F]> : tensor<31xf8E4M3FN>
module {
  func.func @main(%arg0: tensor<31xf32>) -> tensor<31xf8E4M3FN> {
    %r0 = "stablehlo.convert"(%arg0) : (tensor<31xf32>) -> tensor<31xf8E4M3FN>
    "func.return"(%r0) : (tensor<31xf8E4M3FN>) -> ()
  }
}
