// clause: convert: one rounding to floats; integers wrap; floats truncate and saturate, NaN gives 0
// Bounds, ties, fractions and what does not fit.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[false, true]> : tensor<2xi1>
// expect: dense<[0, 1]> : tensor<2xi32>
module {
  func.func @main(%arg0: tensor<2xi1>) -> tensor<2xi32> {
    %r0 = "stablehlo.convert"(%arg0) : (tensor<2xi1>) -> tensor<2xi32>
    "func.return"(%r0) : (tensor<2xi32>) -> ()
  }
}
