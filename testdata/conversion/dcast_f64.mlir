// clause: quant.dcast: (storedValue - zeroPoint) * scale, the difference exact (erratum E16)
// Fractions of both signs, bounds, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-32768, -32767, -7, -3, -2, -1, 0, 1, 2, 3, 7, 15, 16, 32766, 32767]> : tensor<15xi16>
// expect: dense<[-3276.1000000000004, -3276.0, 0.0, 0.4, 0.5, 0.6000000000000001, 0.7000000000000001, 0.8, 0.9, 1.0, 1.4000000000000001, 2.2, 2.3000000000000003, 3277.3, 3277.4]> : tensor<15xf64>
module {
  func.func @main(%arg0: tensor<15x!quant.uniform<i16:f64, 1.000000e-01:-7>>) -> tensor<15xf64> {
    %r0 = "quant.dcast"(%arg0) : (tensor<15x!quant.uniform<i16:f64, 1.000000e-01:-7>>) -> tensor<15xf64>
    "func.return"(%r0) : (tensor<15xf64>) -> ()
  }
}
