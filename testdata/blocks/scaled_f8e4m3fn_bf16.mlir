// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// In bf16: scaled elements, products and sums are rounded to it.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x3C, 0xB8, 0x3C, 0x44, 0xC4, 0x00, 0x3C, 0x48], [0x3C, 0xBC, 0xB0, 0xBC, 0xC8, 0xB8, 0xB0, 0xBC]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0xB8, 0xC8, 0x30, 0xB8, 0x30, 0xB8, 0x48, 0x30], [0xC0, 0x44, 0x30, 0xC4, 0xC0, 0x44, 0xC8, 0xBC]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x7E, 0x7F], [0x7D, 0x7D]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x80, 0x7F], [0x7E, 0x81]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[6.75, -27.5], [1.9375, 8.875]]> : tensor<2x2xbf16>
// wrong (scales per block left out): dense<[[6.75, -20.25], [2.0, 6.0]]> : tensor<2x2xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[6.75, -58.5], [-0.4375, -2.09375]]> : tensor<2x2xbf16>
// wrong (scales of the other operand): dense<[[6.75, -8.625], [-13.5625, 8.875]]> : tensor<2x2xbf16>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<2x8xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xbf16> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf8E4M3FN>, tensor<2x8xf8E4M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xbf16>
    func.return %r : tensor<2x2xbf16>
  }
}
