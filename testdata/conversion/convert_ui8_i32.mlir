// clause: convert: one rounding to floats; integers wrap; floats truncate and saturate, NaN gives 0
// Bounds, ties, fractions and what does not fit.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 127, 128, 129, 255]> : tensor<16xui8>
// expect: dense<[0, 1, 2, 3, 7, 8, 254, 255, 0, 1, 2, 3, 127, 128, 129, 255]> : tensor<16xi32>
module {
  func.func @main(%arg0: tensor<16xui8>) -> tensor<16xi32> {
    %r0 = "stablehlo.convert"(%arg0) : (tensor<16xui8>) -> tensor<16xi32>
    "func.return"(%r0) : (tensor<16xi32>) -> ()
  }
}
