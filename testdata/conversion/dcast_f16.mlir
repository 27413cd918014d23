// clause: quant.dcast: (storedValue - zeroPoint) * scale, the difference exact (erratum E16)
// Fractions of both signs, bounds, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-128, -127, -7, -3, -2, -1, 0, 1, 2, 3, 7, 8, 126, 127]> : tensor<14xi8>
// expect: dense<[-32.4, -32.1, 3.9, 5.1, 5.402, 5.7, 6.0, 6.3, 6.6, 6.902, 8.1, 8.4, 43.8, 44.1]> : tensor<14xf16>
module {
  func.func @main(%arg0: tensor<14x!quant.uniform<i8:f16, 3.000000e-01:-20>>) -> tensor<14xf16> {
    %r0 = "quant.dcast"(%arg0) : (tensor<14x!quant.uniform<i8:f16, 3.000000e-01:-20>>) -> tensor<14xf16>
    "func.return"(%r0) : (tensor<14xf16>) -> ()
  }
}
