// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// The extremes of f8E5M2: 57344, and 2^-16.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x7B, 0x01, 0xFB, 0x81], [0x03, 0x04, 0x7A, 0x00]]> : tensor<2x4xf8E5M2>
// args: dense<[[0x3C, 0x3C, 0x3C, 0x3C], [0x7B, 0x7B, 0x01, 0x01]]> : tensor<2x4xf8E5M2>
// args: dense<[[0x7D, 0x7D], [0x81, 0x7D]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7E, 0x7E], [0x7E, 0x81]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[-1.9073486e-06, 4.110418e+08], [6144.0, 13.0]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-1.5258789e-05, 3.2883343e+09], [49152.0, 6.875]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-1.9073486e-06, 3.2883343e+09], [98304.0, 7.625]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[-1.9073486e-06, 6.5766687e+09], [49152.0, 13.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x4xf8E5M2>, %arg1: tensor<2x4xf8E5M2>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x4xf8E5M2>, tensor<2x4xf8E5M2>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
