// clause: quant.dcast: (storedValue - zeroPoint) * scale, the difference exact (erratum E16)
// Fractions of both signs, bounds, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-128, -127, -7, -3, -2, -1, 0, 1, 2, 3, 7, 8, 126, 127]> : tensor<14xi8>
// expect: dense<[-41.25, -41.0, -4.8125, -3.609375, -3.3125, -3.0, -2.703125, -2.40625, -2.109375, -1.8046875, -0.6015625, -0.30078125, 35.25, 35.5]> : tensor<14xbf16>
module {
  func.func @main(%arg0: tensor<14x!quant.uniform<i8:bf16, 3.000000e-01:9>>) -> tensor<14xbf16> {
    %r0 = "quant.dcast"(%arg0) : (tensor<14x!quant.uniform<i8:bf16, 3.000000e-01:9>>) -> tensor<14xbf16>
    "func.return"(%r0) : (tensor<14xbf16>) -> ()
  }
}
