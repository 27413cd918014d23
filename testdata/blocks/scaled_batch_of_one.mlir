// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// One batch, as JAX adds it.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[0x30, 0x00, 0x38, 0x3C, 0x38, 0xB0, 0xB0, 0xC8], [0x30, 0xC0, 0xB0, 0xB0, 0xC0, 0xB8, 0x40, 0x48]]]> : tensor<1x2x8xf8E4M3FN>
// args: dense<[[[0x30, 0xC4, 0x30, 0x00, 0xB8, 0xB0, 0x40, 0xC8], [0xBC, 0x00, 0xC0, 0x00, 0x38, 0x48, 0x48, 0x30], [0xB0, 0xC0, 0xB0, 0xC0, 0xB0, 0xC8, 0x30, 0x00]]]> : tensor<1x3x8xf8E4M3FN>
// args: dense<[[[0x7F, 0x7E], [0x80, 0x80]]]> : tensor<1x2x2xf8E8M0FNU>
// args: dense<[[[0x7E, 0x7E], [0x7D, 0x80], [0x80, 0x7E]]]> : tensor<1x3x2xf8E8M0FNU>
// expect: dense<[[[3.9375, -5.6875, -7.1875], [-3.5, 16.125, 26.0]]]> : tensor<1x2x3xf32>
// wrong (scales per block left out): dense<[[[15.0, -7.75, -2.5], [-3.5, 4.25, 11.0]]]> : tensor<1x2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[[7.3125, -4.0, 1.5625], [-3.5, 3.0, 29.0]]]> : tensor<1x2x3xf32>
// wrong (scales of the other operand): dense<[[[3.9375, -7.75, -1.5625], [-8.0, 16.125, 7.25]]]> : tensor<1x2x3xf32>
module {
  func.func @main(%arg0: tensor<1x2x8xf8E4M3FN>, %arg1: tensor<1x3x8xf8E4M3FN>, %arg2: tensor<1x2x2xf8E8M0FNU>, %arg3: tensor<1x3x2xf8E8M0FNU>) -> tensor<1x2x3xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<1x2x8xf8E4M3FN>, tensor<1x3x8xf8E4M3FN>, tensor<1x2x2xf8E8M0FNU>, tensor<1x3x2xf8E8M0FNU>) -> tensor<1x2x3xf32>
    func.return %r : tensor<1x2x3xf32>
  }
}
