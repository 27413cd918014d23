// clause: quant.qcast: to the nearest storage number, half to even, and saturating (erratum E16)
// Fractions of both signs, bounds, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, -0.0, 0.25, 0.75, 1.25, -0.25, -0.75, 5.5, -6.5, 3.0e+01, -31.0, 62.0, 62.25, 63.0, -65.5, -66.0, 1.0e+02, 1.0e+04, -1.0e+04, 0x7C00, 0xFC00, 0x7E00, 999.5, 1000.5, 1001.0, -1000.5, 0.1, 12.7, -0.3]> : tensor<29xf16>
// expect: dense<[1000, 1000, 1000, 1002, 1002, 1000, 998, 1011, 987, 1060, 938, 1124, 1124, 1126, 869, 868, 1200, 20992, 0, 65535, 0, 0, 3000, 3000, 3002, 0, 1000, 1025, 1000]> : tensor<29xui16>
module {
  func.func @main(%arg0: tensor<29xf16>) -> tensor<29x!quant.uniform<u16:f16, 5.000000e-01:1000>> {
    %r0 = "quant.qcast"(%arg0) : (tensor<29xf16>) -> tensor<29x!quant.uniform<u16:f16, 5.000000e-01:1000>>
    "func.return"(%r0) : (tensor<29x!quant.uniform<u16:f16, 5.000000e-01:1000>>) -> ()
  }
}
