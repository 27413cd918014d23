// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// In bf16: scaled elements, products and sums are rounded to it.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x44, 0xB8, 0x00, 0x44, 0xB8, 0x3E, 0xBC, 0x42], [0xB8, 0x00, 0xBC, 0x42, 0xC2, 0xBE, 0x3C, 0xB8]]> : tensor<2x8xf8E5M2>
// args: dense<[[0x38, 0x40, 0xBC, 0xBE, 0xBC, 0x38, 0x40, 0x38], [0x42, 0x3E, 0x44, 0x44, 0xB8, 0x42, 0x40, 0x40]]> : tensor<2x8xf8E5M2>
// args: dense<[[0x7F, 0x80], [0x7E, 0x80]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x81, 0x81], [0x7D, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[-14.0, 24.25], [24.5, -3.1875]]> : tensor<2x2xbf16>
// wrong (scales per block left out): dense<[[-4.25, 36.0], [0.25, 4.5]]> : tensor<2x2xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[-37.0, 56.5], [-22.0, 12.75]]> : tensor<2x2xbf16>
// wrong (scales of the other operand): dense<[[-14.0, 124.5], [7.0625, -3.1875]]> : tensor<2x2xbf16>
module {
  func.func @main(%arg0: tensor<2x8xf8E5M2>, %arg1: tensor<2x8xf8E5M2>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xbf16> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf8E5M2>, tensor<2x8xf8E5M2>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xbf16>
    func.return %r : tensor<2x2xbf16>
  }
}
