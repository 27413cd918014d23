// clause: quant.dcast: (storedValue - zeroPoint) * scale, the difference exact (erratum E16)
// Fractions of both signs, bounds, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-2, -1, 0, 1]> : tensor<4xi2>
// expect: dense<[-2.0, -1.0, 0.0, 1.0]> : tensor<4xf32>
module {
  func.func @main(%arg0: tensor<4x!quant.uniform<i2:f32, 1.000000e+00>>) -> tensor<4xf32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<4x!quant.uniform<i2:f32, 1.000000e+00>>) -> tensor<4xf32>
    "func.return"(%r0) : (tensor<4xf32>) -> ()
  }
}
