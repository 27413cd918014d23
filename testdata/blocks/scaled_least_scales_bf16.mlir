// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// 2^-127 in bf16: subnormal numbers lose digits.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x03, 0x3E, 0x2E, 0x7E]]> : tensor<1x4xf8E4M3FN>
// args: dense<[[0x44, 0x48, 0xC0, 0xC4], [0x00, 0xC8, 0xC0, 0x44]]> : tensor<2x4xf8E4M3FN>
// args: dense<[[0x00, 0x00]]> : tensor<1x2xf8E8M0FNU>
// args: dense<[[0xFE, 0xF7], [0x7F, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[0xFFC0, 7.852302e-36]]> : tensor<1x2xbf16>
// wrong (scales per block left out): dense<[[-1336.0, 1336.0]]> : tensor<1x2xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[0xFF80, 7.852302e-36]]> : tensor<1x2xbf16>
// wrong (scales of the other operand): dense<[[0xFF80, 0x7F80]]> : tensor<1x2xbf16>
module {
  func.func @main(%arg0: tensor<1x4xf8E4M3FN>, %arg1: tensor<2x4xf8E4M3FN>, %arg2: tensor<1x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<1x2xbf16> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<1x4xf8E4M3FN>, tensor<2x4xf8E4M3FN>, tensor<1x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<1x2xbf16>
    func.return %r : tensor<1x2xbf16>
  }
}
