// clause: quant.dcast: (storedValue - zeroPoint) * scale, the difference exact (erratum E16)
// Fractions of both signs, bounds, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-128, -127, -7, -3, -2, -1, 0, 1, 2, 3, 7, 8, 126, 127]> : tensor<14xi8>
// expect: dense<[-65.5, -65.0, -5.0, -3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0.0, 2.0, 2.5, 61.5, 62.0]> : tensor<14xf32>
module {
  func.func @main(%arg0: tensor<14x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<14xf32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<14x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<14xf32>
    "func.return"(%r0) : (tensor<14xf32>) -> ()
  }
}
