// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Elements of f4E2M1FN, a power of two for each block of 4.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x01, 0x0C, 0x01, 0x06, 0x00, 0x0D, 0x0D, 0x03], [0x0B, 0x0D, 0x0A, 0x0C, 0x09, 0x06, 0x0B, 0x0D]]> : tensor<2x8xf4E2M1FN>
// args: dense<[[0x0E, 0x0E, 0x03, 0x00, 0x06, 0x0C, 0x0C, 0x03], [0x05, 0x09, 0x0A, 0x0B, 0x06, 0x03, 0x02, 0x0D]]> : tensor<2x8xf4E2M1FN>
// args: dense<[[0x81, 0x7D], [0x7E, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7E, 0x7F], [0x7E, 0x80]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[17.0625, -14.0], [-1.625, 11.75]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[21.0, -16.0], [5.0, 12.5]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[30.1875, -26.0], [5.375, 3.875]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[17.0625, -7.0], [27.25, 11.75]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf4E2M1FN>, %arg1: tensor<2x8xf4E2M1FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf4E2M1FN>, tensor<2x8xf4E2M1FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
