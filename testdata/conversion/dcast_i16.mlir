// clause: quant.dcast: (storedValue - zeroPoint) * scale, the difference exact (erratum E16)
// Fractions of both signs, bounds, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-32768, -32767, -7, -3, -2, -1, 0, 1, 2, 3, 7, 15, 16, 32766, 32767]> : tensor<15xi16>
// expect: dense<[-328.68, -328.66998, -1.0699999, -1.03, -1.02, -1.01, -1.0, -0.98999995, -0.97999996, -0.96999997, -0.93, -0.84999996, -0.84, 326.66, 326.66998]> : tensor<15xf32>
module {
  func.func @main(%arg0: tensor<15x!quant.uniform<i16:f32, 1.000000e-02:100>>) -> tensor<15xf32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<15x!quant.uniform<i16:f32, 1.000000e-02:100>>) -> tensor<15xf32>
    "func.return"(%r0) : (tensor<15xf32>) -> ()
  }
}
