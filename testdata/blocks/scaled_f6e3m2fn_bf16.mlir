// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// In bf16: scaled elements, products and sums are rounded to it.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x32, 0x34, 0x0C, 0x2C, 0x32, 0x0E, 0x34, 0x2E], [0x2E, 0x12, 0x32, 0x34, 0x28, 0x28, 0x08, 0x14]]> : tensor<2x8xf6E3M2FN>
// args: dense<[[0x28, 0x0C, 0x10, 0x30, 0x0C, 0x14, 0x00, 0x2C], [0x12, 0x34, 0x0C, 0x0C, 0x10, 0x00, 0x2E, 0x00]]> : tensor<2x8xf6E3M2FN>
// args: dense<[[0x81, 0x7D], [0x81, 0x81]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x80, 0x80], [0x81, 0x80]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[14.25, 112.0], [-6.0, -3.9e+02]]> : tensor<2x2xbf16>
// wrong (scales per block left out): dense<[[6.0, 7.0], [-0.75, -25.25]]> : tensor<2x2xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[36.75, 3.5], [-6.0, -216.0]]> : tensor<2x2xbf16>
// wrong (scales of the other operand): dense<[[14.25, 56.0], [89.0, -3.9e+02]]> : tensor<2x2xbf16>
module {
  func.func @main(%arg0: tensor<2x8xf6E3M2FN>, %arg1: tensor<2x8xf6E3M2FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xbf16> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf6E3M2FN>, tensor<2x8xf6E3M2FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xbf16>
    func.return %r : tensor<2x2xbf16>
  }
}
