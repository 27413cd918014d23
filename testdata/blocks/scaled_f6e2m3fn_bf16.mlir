// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// In bf16: scaled elements, products and sums are rounded to it.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x00, 0x2C, 0x34, 0x38, 0x38, 0x08, 0x18, 0x2C], [0x24, 0x24, 0x38, 0x38, 0x18, 0x38, 0x18, 0x30]]> : tensor<2x8xf6E2M3FN>
// args: dense<[[0x10, 0x28, 0x14, 0x28, 0x38, 0x38, 0x2C, 0x24], [0x24, 0x34, 0x04, 0x2C, 0x38, 0x14, 0x34, 0x0C]]> : tensor<2x8xf6E2M3FN>
// args: dense<[[0x81, 0x7E], [0x80, 0x80]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7D, 0x80], [0x81, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[3.25, 145.0], [-24.0, 3.0]]> : tensor<2x2xbf16>
// permitted (balanced): dense<[[3.25, 145.0], [-24.25, 3.0]]> : tensor<2x2xbf16>
// wrong (scales per block left out): dense<[[3.25, 13.75], [-13.5, -37.25]]> : tensor<2x2xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[3.25, 78.0], [-36.5, -338.0]]> : tensor<2x2xbf16>
// wrong (scales of the other operand): dense<[[3.25, 23.5], [-138.0, 3.0]]> : tensor<2x2xbf16>
module {
  func.func @main(%arg0: tensor<2x8xf6E2M3FN>, %arg1: tensor<2x8xf6E2M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xbf16> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf6E2M3FN>, tensor<2x8xf6E2M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xbf16>
    func.return %r : tensor<2x2xbf16>
  }
}
