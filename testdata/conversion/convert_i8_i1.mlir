// clause: convert: one rounding to floats; integers wrap; floats truncate and saturate, NaN gives 0
// Bounds, ties, fractions and what does not fit.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-128, -127, -7, -3, -2, -1, 0, 1, 2, 3, 7, 8, 126, 127, 0, 1, -1, 2, 3, 127, -128]> : tensor<21xi8>
// expect: dense<[true, true, true, true, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<21xi1>
module {
  func.func @main(%arg0: tensor<21xi8>) -> tensor<21xi1> {
    %r0 = "stablehlo.convert"(%arg0) : (tensor<21xi8>) -> tensor<21xi1>
    "func.return"(%r0) : (tensor<21xi1>) -> ()
  }
}
