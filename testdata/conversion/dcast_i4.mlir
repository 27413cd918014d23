// clause: quant.dcast: (storedValue - zeroPoint) * scale, the difference exact (erratum E16)
// Fractions of both signs, bounds, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-8, -7, -3, -2, -1, 0, 1, 2, 3, 4, 6, 7]> : tensor<12xi4>
// expect: dense<[-3.5, -3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.5, 4.0]> : tensor<12xf32>
module {
  func.func @main(%arg0: tensor<12x!quant.uniform<i4:f32, 5.000000e-01:-1>>) -> tensor<12xf32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<12x!quant.uniform<i4:f32, 5.000000e-01:-1>>) -> tensor<12xf32>
    "func.return"(%r0) : (tensor<12xf32>) -> ()
  }
}
