// clause: quant.dcast: (storedValue - zeroPoint) * scale, the difference exact (erratum E16)
// Fractions of both signs, bounds, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 1, 2, 3, 7, 15, 16, 65534, 65535]> : tensor<9xui16>
// expect: dense<[-5.0e+02, -499.5, -499.0, -498.5, -496.5, -492.5, -492.0, 3.227e+04, 3.227e+04]> : tensor<9xf16>
module {
  func.func @main(%arg0: tensor<9x!quant.uniform<u16:f16, 5.000000e-01:1000>>) -> tensor<9xf16> {
    %r0 = "quant.dcast"(%arg0) : (tensor<9x!quant.uniform<u16:f16, 5.000000e-01:1000>>) -> tensor<9xf16>
    "func.return"(%r0) : (tensor<9xf16>) -> ()
  }
}
