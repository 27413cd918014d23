// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// The extremes of f6E2M3FN: 7.5, and 0.125, which is subnormal.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x1F, 0x01, 0x3F, 0x21], [0x07, 0x08, 0x1E, 0x00]]> : tensor<2x4xf6E2M3FN>
// args: dense<[[0x08, 0x08, 0x08, 0x08], [0x1F, 0x1F, 0x01, 0x01]]> : tensor<2x4xf6E2M3FN>
// args: dense<[[0x7E, 0x81], [0x7D, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x81, 0x80], [0x7E, 0x7D]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[-45.75, 13.34375], [8.875, 1.8671875]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[0.0, 56.234375], [8.875, 14.9375]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[45.75, 56.94922], [8.875, 1.8671875]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[-45.75, 56.234375], [7.46875, 1.8671875]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x4xf6E2M3FN>, %arg1: tensor<2x4xf6E2M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x4xf6E2M3FN>, tensor<2x4xf6E2M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
