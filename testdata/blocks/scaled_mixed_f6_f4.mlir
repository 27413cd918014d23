// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Elements of 6 bits times elements of 4.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x0E, 0x32, 0x10, 0x0E, 0x14, 0x28, 0x32, 0x0E], [0x2C, 0x32, 0x0E, 0x34, 0x10, 0x12, 0x28, 0x0E]]> : tensor<2x8xf6E3M2FN>
// args: dense<[[0x04, 0x0C, 0x00, 0x05, 0x02, 0x0D, 0x01, 0x0B], [0x02, 0x0B, 0x04, 0x03, 0x0A, 0x03, 0x05, 0x01]]> : tensor<2x8xf4E2M1FN>
// args: dense<[[0x80, 0x7D], [0x7D, 0x7D]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x80, 0x7E], [0x7F, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[54.21875, 21.25], [-5.1875, 0.5625]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[15.25, -0.75], [-17.5, 2.25]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[8.6875, -22.9375], [-5.75, 0.5625]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[54.21875, 4.5], [-18.375, 0.5625]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf6E3M2FN>, %arg1: tensor<2x8xf4E2M1FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf6E3M2FN>, tensor<2x8xf4E2M1FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
