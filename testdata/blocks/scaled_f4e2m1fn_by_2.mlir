// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Elements of f4E2M1FN, a power of two for each block of 2.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x01, 0x0E, 0x00, 0x0C, 0x0E, 0x04, 0x0B, 0x05], [0x0A, 0x0D, 0x0D, 0x02, 0x02, 0x05, 0x0A, 0x04]]> : tensor<2x8xf4E2M1FN>
// args: dense<[[0x0D, 0x0C, 0x04, 0x09, 0x05, 0x0D, 0x09, 0x00], [0x0E, 0x0D, 0x0C, 0x05, 0x00, 0x09, 0x0D, 0x0B]]> : tensor<2x8xf4E2M1FN>
// args: dense<[[0x7D, 0x81, 0x7F, 0x7E], [0x7F, 0x7F, 0x7F, 0x7D]]> : tensor<2x4xf8E8M0FNU>
// args: dense<[[0x81, 0x7D, 0x81, 0x7F], [0x80, 0x7E, 0x7E, 0x7F]]> : tensor<2x4xf8E8M0FNU>
// expect: dense<[[-64.125, -7.5], [10.5, 29.75]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-9.75, 3.0], [-3.0, 20.5]]> : tensor<2x2xf32>
// wrong (scale of the next block): dense<[[2.25, 16.5], [-23.25, 10.625]]> : tensor<2x2xf32>
// wrong (scale of the block before): dense<[[-10.75, 0.0], [-23.25, 20.5]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[-64.125, 34.5], [-11.25, 29.75]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf4E2M1FN>, %arg1: tensor<2x8xf4E2M1FN>, %arg2: tensor<2x4xf8E8M0FNU>, %arg3: tensor<2x4xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf4E2M1FN>, tensor<2x8xf4E2M1FN>, tensor<2x4xf8E8M0FNU>, tensor<2x4xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
