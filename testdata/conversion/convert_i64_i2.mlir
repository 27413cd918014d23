// clause: convert: one rounding to floats; integers wrap; floats truncate and saturate, NaN gives 0
// Bounds, ties, fractions and what does not fit.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-9223372036854775808, -9223372036854775807, -7, -3, -2, -1, 0, 1, 2, 3, 7, 63, 64, 9223372036854775806, 9223372036854775807, 0, 1, -1, 2, 3, 127, 128, 129, -128, -129, 255, 256, 257, 259, 2049, 2051, 65519, 65520, 16777217]> : tensor<34xi64>
// expect: dense<[0, 1, 1, 1, -2, -1, 0, 1, -2, -1, -1, -1, 0, -2, -1, 0, 1, -1, -2, -1, -1, 0, 1, 0, -1, -1, 0, 1, -1, 1, -1, -1, 0, 1]> : tensor<34xi2>
module {
  func.func @main(%arg0: tensor<34xi64>) -> tensor<34xi2> {
    %r0 = "stablehlo.convert"(%arg0) : (tensor<34xi64>) -> tensor<34xi2>
    "func.return"(%r0) : (tensor<34xi2>) -> ()
  }
}
