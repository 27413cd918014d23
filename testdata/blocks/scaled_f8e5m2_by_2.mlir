// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Elements of f8E5M2, a power of two for each block of 2.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0xB8, 0xC4, 0x42, 0x3C, 0xBE, 0xC4, 0x40, 0xC4], [0x00, 0x00, 0x40, 0xC0, 0xC0, 0xB8, 0x38, 0x3C]]> : tensor<2x8xf8E5M2>
// args: dense<[[0xC2, 0xC2, 0xBE, 0x40, 0xBE, 0x3C, 0x00, 0x3C], [0x00, 0xC0, 0x38, 0xC2, 0xC2, 0x40, 0x44, 0x3C]]> : tensor<2x8xf8E5M2>
// args: dense<[[0x7E, 0x80, 0x81, 0x7D], [0x80, 0x81, 0x80, 0x7F]]> : tensor<2x4xf8E8M0FNU>
// args: dense<[[0x80, 0x7E, 0x7D, 0x7E], [0x7D, 0x80, 0x7D, 0x7D]]> : tensor<2x4xf8E8M0FNU>
// expect: dense<[[8.75, -8.25], [-12.25, 59.25]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[5.25, 7.0], [-3.5, 15.0]]> : tensor<2x2xf32>
// wrong (scale of the next block): dense<[[6.78125, 30.78125], [1.75, 6.25]]> : tensor<2x2xf32>
// wrong (scale of the block before): dense<[[-6.5625, -9.6875], [-22.5, 45.0]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[8.75, 29.25], [-25.4375, 59.25]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E5M2>, %arg1: tensor<2x8xf8E5M2>, %arg2: tensor<2x4xf8E8M0FNU>, %arg3: tensor<2x4xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf8E5M2>, tensor<2x8xf8E5M2>, tensor<2x4xf8E8M0FNU>, tensor<2x4xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
