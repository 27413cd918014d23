// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// A NaN scale of a block of zeros: 0 * NaN is NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x38, 0x40, 0x00, 0x00], [0x38, 0x38, 0x38, 0x38]]> : tensor<2x4xf8E4M3FN>
// args: dense<[[0xC4, 0x3C, 0xC8, 0xB8], [0xC8, 0x3C, 0x48, 0xBC]]> : tensor<2x4xf8E4M3FN>
// args: dense<[[0x7F, 0xFF], [0x80, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x81, 0x7E], [0x7E, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[0x7FC00000, 0x7FC00000], [-13.25, -1.875]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[0.0, -1.0], [-6.5, 0.0]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[0x7FC00000, 0x7FC00000], [-40.375, 1.875]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[0x7FC00000, -8.0], [0x7FC00000, -1.875]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x4xf8E4M3FN>, %arg1: tensor<2x4xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x4xf8E4M3FN>, tensor<2x4xf8E4M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
