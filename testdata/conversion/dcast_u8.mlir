// clause: quant.dcast: (storedValue - zeroPoint) * scale, the difference exact (erratum E16)
// Fractions of both signs, bounds, infinities and NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 1, 2, 3, 7, 8, 254, 255]> : tensor<8xui8>
// expect: dense<[-12.8, -12.7, -12.6, -12.5, -12.1, -12.0, 12.6, 12.7]> : tensor<8xf32>
module {
  func.func @main(%arg0: tensor<8x!quant.uniform<u8:f32, 1.000000e-01:128>>) -> tensor<8xf32> {
    %r0 = "quant.dcast"(%arg0) : (tensor<8x!quant.uniform<u8:f32, 1.000000e-01:128>>) -> tensor<8xf32>
    "func.return"(%r0) : (tensor<8xf32>) -> ()
  }
}
