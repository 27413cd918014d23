// clause: quant.dcast: (storedValue - zeroPoint) * scale, the difference exact (erratum E16)
// Fractions of both signs, bounds, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 1, 2, 3, 4, 7, 14, 15]> : tensor<8xui4>
// expect: dense<[-7.0, -6.0, -5.0, -4.0, -3.0, 0.0, 7.0, 8.0]> : tensor<8xf32>
module {
  func.func @main(%arg0: tensor<8x!quant.uniform<u4:f32, 1.000000e+00:7>>) -> tensor<8xf32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<8x!quant.uniform<u4:f32, 1.000000e+00:7>>) -> tensor<8xf32>
    "func.return"(%r0) : (tensor<8xf32>) -> ()
  }
}
