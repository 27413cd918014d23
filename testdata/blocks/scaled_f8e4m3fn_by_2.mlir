// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Elements of f8E4M3FN, a power of two for each block of 2.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0xBC, 0xB0, 0x30, 0xC0, 0xBC, 0x48, 0xC8, 0xC4], [0xC0, 0xBC, 0x00, 0x3C, 0xBC, 0x30, 0x44, 0xC8]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x38, 0x38, 0x38, 0x30, 0x38, 0x40, 0xBC, 0x30], [0xC4, 0x38, 0xBC, 0x00, 0xC8, 0x48, 0xB8, 0x3C]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x80, 0x80, 0x80, 0x7D], [0x7F, 0x7D, 0x7D, 0x80]]> : tensor<2x4xf8E8M0FNU>
// args: dense<[[0x81, 0x80, 0x7D, 0x7D], [0x7F, 0x7E, 0x7D, 0x80]]> : tensor<2x4xf8E8M0FNU>
// expect: dense<[[-14.46875, 18.0], [-16.90625, -31.0]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[8.5, 24.75], [-9.75, 3.5]]> : tensor<2x2xf32>
// wrong (scale of the next block): dense<[[28.15625, 13.625], [-27.953125, 23.5625]]> : tensor<2x2xf32>
// wrong (scale of the block before): dense<[[24.125, 22.25], [0.59375, 18.4375]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[-14.46875, 16.75], [-9.75, -31.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<2x8xf8E4M3FN>, %arg2: tensor<2x4xf8E8M0FNU>, %arg3: tensor<2x4xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf8E4M3FN>, tensor<2x8xf8E4M3FN>, tensor<2x4xf8E8M0FNU>, tensor<2x4xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
