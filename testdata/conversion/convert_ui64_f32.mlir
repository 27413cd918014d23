// clause: convert: one rounding to floats; integers wrap; floats truncate and saturate, NaN gives 0
// Bounds, ties, fractions and what does not fit.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 1, 2, 3, 7, 63, 64, 18446744073709551614, 18446744073709551615, 0, 1, 2, 3, 127, 128, 129, 255, 256, 257, 259, 2049, 2051, 65519, 65520, 16777217]> : tensor<25xui64>
// expect: dense<[0.0, 1.0, 2.0, 3.0, 7.0, 63.0, 64.0, 1.8446744e+19, 1.8446744e+19, 0.0, 1.0, 2.0, 3.0, 127.0, 128.0, 129.0, 255.0, 256.0, 257.0, 259.0, 2049.0, 2051.0, 65519.0, 6.552e+04, 16777216.0]> : tensor<25xf32>
module {
  func.func @main(%arg0: tensor<25xui64>) -> tensor<25xf32> {
    %r0 = "stablehlo.convert"(%arg0) : (tensor<25xui64>) -> tensor<25xf32>
    "func.return"(%r0) : (tensor<25xf32>) -> ()
  }
}
