// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// f8E8M0FNU 255 is NaN: its row is, and no other.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x30, 0x00, 0x3C, 0x3C, 0x44, 0xC0, 0xBC, 0x44], [0x48, 0x40, 0x40, 0x30, 0x44, 0x30, 0x3C, 0xC0]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0xB8, 0xC8, 0xC0, 0x38, 0xC0, 0x30, 0x48, 0x48], [0xBC, 0xBC, 0xC0, 0x38, 0xC0, 0x3C, 0xB8, 0x48]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x7F, 0xFF], [0x80, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7F, 0x80], [0x80, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[0x7FC00000, 0x7FC00000], [-38.75, -57.375]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-3.0, 2.25], [-23.25, -27.25]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[0x7FC00000, 0x7FC00000], [-31.0, -65.25]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[0x7FC00000, 0.0], [0x7FC00000, -57.375]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<2x8xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf8E4M3FN>, tensor<2x8xf8E4M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
