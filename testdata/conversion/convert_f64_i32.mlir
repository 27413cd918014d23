// clause: convert: one rounding to floats; integers wrap; floats truncate and saturate, NaN gives 0
// Bounds, ties, fractions and what does not fit.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 126.5, 127.5, -128.5, 2.0e+02, 255.5, -1.0, 3.0e+02, -3.0e+02, 1.0e+10, -1.0e+10, 2147483648.0, -2147483904.0, 9.3e+18, -9.3e+18, 1.9e+19, 65519.0, 6.552e+04, 1.0e+30, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.1, 257.0, 0x7FF8000000000000]> : tensor<31xf64>
// expect: dense<[0, 0, 0, 0, 1, 2, -2, 126, 127, -128, 200, 255, -1, 300, -300, 2147483647, -2147483648, 2147483647, -2147483648, 2147483647, -2147483648, 2147483647, 65519, 65520, 2147483647, 2147483647, -2147483648, 0, 0, 257, 0]> : tensor<31xi32>
module {
  func.func @main(%arg0: tensor<31xf64>) -> tensor<31xi32> {
    %r0 = "stablehlo.convert"(%arg0) : (tensor<31xf64>) -> tensor<31xi32>
    "func.return"(%r0) : (tensor<31xi32>) -> ()
  }
}
