// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// The scale for all is in bf16, and so is its product.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0xB0, 0xB8, 0x3C, 0x00, 0x44, 0x30, 0x44, 0x38], [0x30, 0x44, 0xC8, 0x38, 0xC8, 0x40, 0x30, 0x48]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0xC4, 0xBC, 0x00, 0xB0, 0x48, 0x40, 0x3C, 0x00], [0xB8, 0x3C, 0xC4, 0xBC, 0x44, 0x48, 0x3C, 0x30]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x7F, 0x81], [0x81, 0x7D]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x80, 0x7E], [0x7E, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// args: dense<0.69921875> : tensor<bf16>
// expect: dense<[[28.625, 42.75], [-37.5, 20.125]]> : tensor<2x2xbf16>
// wrong (scales per block left out): dense<[[14.3125, 7.34375], [-12.4375, 9.25]]> : tensor<2x2xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[28.625, -9.8125], [-63.75, 0.78515625]]> : tensor<2x2xbf16>
// wrong (scales of the other operand): dense<[[28.625, -29.5], [-33.5, 20.125]]> : tensor<2x2xbf16>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<2x8xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>, %arg4: tensor<bf16>) -> tensor<2x2xbf16> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<2x8xf8E4M3FN>, tensor<2x8xf8E4M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>, tensor<bf16>) -> tensor<2x2xbf16>
    func.return %r : tensor<2x2xbf16>
  }
}
