// clause: convert: one rounding to floats; integers wrap; floats truncate and saturate, NaN gives 0
// Bounds, ties, fractions and what does not fit.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-2147483648, -2147483647, -7, -3, -2, -1, 0, 1, 2, 3, 7, 31, 32, 2147483646, 2147483647, 0, 1, -1, 2, 3, 127, 128, 129, -128, -129, 255, 256, 257, 259, 2049, 2051, 65519, 65520, 16777217]> : tensor<34xi32>
// expect: dense<[0, 1, -7, -3, -2, -1, 0, 1, 2, 3, 7, -1, 0, -2, -1, 0, 1, -1, 2, 3, -1, 0, 1, 0, -1, -1, 0, 1, 3, 1, 3, -1, 0, 1]> : tensor<34xi4>
module {
  func.func @main(%arg0: tensor<34xi32>) -> tensor<34xi4> {
    %r0 = "stablehlo.convert"(%arg0) : (tensor<34xi32>) -> tensor<34xi4>
    "func.return"(%r0) : (tensor<34xi4>) -> ()
  }
}
