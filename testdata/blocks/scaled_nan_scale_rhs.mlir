// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// A NaN scale of rhs: its column is NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0xC0, 0xB0, 0x38, 0x40, 0x48, 0x3C, 0x44, 0xBC], [0x48, 0xB0, 0x48, 0x00, 0x00, 0x00, 0xB8, 0x48]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0xBC, 0x40, 0x48, 0xB0, 0xB0, 0x00, 0xBC, 0xB8], [0xB8, 0xB0, 0xC8, 0xB0, 0xC4, 0xC8, 0x48, 0x00]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x7E, 0x80], [0x7E, 0x80]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7F, 0x80], [0xFF, 0x80]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[-17.5, 0x7FC00000], [-5.5, 0x7FC00000]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[0.0, -8.75], [6.5, -23.75]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[17.5, 0x7FC00000], [34.75, 0x7FC00000]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[-17.5, -25.375], [0x7FC00000, 0x7FC00000]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<2x8xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf8E4M3FN>, tensor<2x8xf8E4M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
