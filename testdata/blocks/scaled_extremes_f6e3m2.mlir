// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// The extremes of f6E3M2FN: 28, and 0.0625, which is subnormal.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x1F, 0x01, 0x3F, 0x21], [0x03, 0x04, 0x1E, 0x00]]> : tensor<2x4xf6E3M2FN>
// args: dense<[[0x0C, 0x0C, 0x0C, 0x0C], [0x1F, 0x1F, 0x01, 0x01]]> : tensor<2x4xf6E3M2FN>
// args: dense<[[0x80, 0x7E], [0x7E, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7F, 0x80], [0x7D, 0x80]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[28.0625, 391.1211], [24.21875, 3.03125]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[0.0, 783.9961], [24.4375, 13.75]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-28.0625, 784.87305], [12.4375, 12.4375]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x4xf6E3M2FN>, %arg1: tensor<2x4xf6E3M2FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x4xf6E3M2FN>, tensor<2x4xf6E3M2FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
