// clause: quant.qcast: to the nearest storage number, half to even, and saturating (erratum E16)
// Fractions of both signs, bounds, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.25, 0.75, 1.25, -0.25, -0.75, 5.5, -6.5, 3.0e+01, -31.0, 62.0, 62.25, 63.0, -65.5, -66.0, 1.0e+02, 9984.0, -9984.0, 999424.0, -3.0031217e+09, 3.0031217e+09, 4.9996104e+09, 9.972771e+19, 0x7F80, 0xFF80, 0x7FC0, 1.0e+03, 1.0e+03, 1.0e+03, -1.0e+03, 0.100097656, 12.6875, -0.30078125]> : tensor<34xbf16>
// expect: dense<[9, 9, 10, 12, 13, 8, 6, 27, -13, 108, -94, 127, 127, 127, -128, -128, 127, 127, -128, 127, -128, 127, 127, 127, 127, -128, 0, 127, 127, 127, -128, 9, 51, 8]> : tensor<34xi8>
module {
  func.func @main(%arg0: tensor<34xbf16>) -> tensor<34x!quant.uniform<i8:bf16, 3.000000e-01:9>> {
    %r0 = "quant.qcast"(%arg0) : (tensor<34xbf16>) -> tensor<34x!quant.uniform<i8:bf16, 3.000000e-01:9>>
    "func.return"(%r0) : (tensor<34x!quant.uniform<i8:bf16, 3.000000e-01:9>>) -> ()
  }
}
