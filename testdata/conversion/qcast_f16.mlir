// clause: quant.qcast: to the nearest storage number, half to even, and saturating (erratum E16)
// Fractions of both signs, bounds, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.25, 0.75, 1.25, -0.25, -0.75, 5.5, -6.5, 3.0e+01, -31.0, 62.0, 62.25, 63.0, -65.5, -66.0, 1.0e+02, 1.0e+04, -1.0e+04, 0x7C00, 0xFC00, 0x7E00, 999.5, 1000.5, 1001.0, -1000.5, 0.1, 12.7, -0.3]> : tensor<29xf16>
// expect: dense<[-20, -20, -19, -18, -16, -21, -22, -2, -42, 80, -123, 127, 127, 127, -128, -128, 127, 127, -128, 127, -128, 0, 127, 127, 127, -128, -20, 22, -21]> : tensor<29xi8>
module {
  func.func @main(%arg0: tensor<29xf16>) -> tensor<29x!quant.uniform<i8:f16, 3.000000e-01:-20>> {
    %r0 = "quant.qcast"(%arg0) : (tensor<29xf16>) -> tensor<29x!quant.uniform<i8:f16, 3.000000e-01:-20>>
    "func.return"(%r0) : (tensor<29x!quant.uniform<i8:f16, 3.000000e-01:-20>>) -> ()
  }
}
