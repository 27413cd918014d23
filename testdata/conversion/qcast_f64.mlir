// clause: quant.qcast: to the nearest storage number, half to even, and saturating (erratum E16)
// Fractions of both signs, bounds, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.25, 0.75, 1.25, -0.25, -0.75, 5.5, -6.5, 3.0e+01, -31.0, 62.0, 62.25, 63.0, -65.5, -66.0, 1.0e+02, 1.0e+04, -1.0e+04, 1.0e+06, -3.0e+09, 3.0e+09, 5.0e+09, 1.0e+20, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 999.5, 1000.5, 1001.0, -1000.5, 0.1, 12.7, -0.3]> : tensor<34xf64>
// expect: dense<[-7, -7, -4, 0, 6, -10, -14, 48, -72, 293, -317, 613, 616, 623, -662, -667, 993, 32767, -32768, 32767, -32768, 32767, 32767, 32767, 32767, -32768, 0, 9988, 9998, 10003, -10012, -6, 120, -10]> : tensor<34xi16>
module {
  func.func @main(%arg0: tensor<34xf64>) -> tensor<34x!quant.uniform<i16:f64, 1.000000e-01:-7>> {
    %r0 = "quant.qcast"(%arg0) : (tensor<34xf64>) -> tensor<34x!quant.uniform<i16:f64, 1.000000e-01:-7>>
    "func.return"(%r0) : (tensor<34x!quant.uniform<i16:f64, 1.000000e-01:-7>>) -> ()
  }
}
