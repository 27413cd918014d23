// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Blocks of 8 on the left, of 2 on the right.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x48, 0xC8, 0x3C, 0x30, 0x48, 0x00, 0xC8, 0xC4], [0x3C, 0x00, 0xC4, 0x44, 0x38, 0x00, 0xB8, 0x38]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x44, 0x38, 0x48, 0x48, 0xBC, 0x48, 0xB8, 0x3C], [0xB8, 0x40, 0xB8, 0x40, 0x38, 0x00, 0x3C, 0x30], [0xB8, 0xC0, 0xB8, 0x40, 0x44, 0x00, 0x00, 0x3C]]> : tensor<3x8xf8E4M3FN>
// args: dense<[[0x7F], [0x7F]]> : tensor<2x1xf8E8M0FNU>
// args: dense<[[0x81, 0x81, 0x80, 0x7D], [0x7D, 0x7E, 0x7F, 0x7D], [0x7F, 0x7D, 0x7F, 0x7D]]> : tensor<3x4xf8E8M0FNU>
// expect: dense<[[51.875, -1.125, 14.75], [15.625, 4.875, 4.125]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[9.5, -16.0, 11.0], [5.5, 7.5, 12.0]]> : tensor<2x3xf32>
// wrong (scale of the next block): dense<[[44.5, -7.375, -1.0], [27.625, 8.25, 10.875]]> : tensor<2x3xf32>
// wrong (scale of the block before): dense<[[9.0, -8.625, -1.0], [0.125, 1.375, 10.875]]> : tensor<2x3xf32>
// wrong (scales of the other operand): dense<[[38.0, -64.0, 44.0], [1.375, 1.875, 3.0]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<3x8xf8E4M3FN>, %arg2: tensor<2x1xf8E8M0FNU>, %arg3: tensor<3x4xf8E8M0FNU>) -> tensor<2x3xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf8E4M3FN>, tensor<3x8xf8E4M3FN>, tensor<2x1xf8E8M0FNU>, tensor<3x4xf8E8M0FNU>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
