// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Elements of f6E2M3FN, a power of two for each block of 2.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x34, 0x24, 0x14, 0x34, 0x08, 0x30, 0x14, 0x2C], [0x08, 0x24, 0x10, 0x24, 0x24, 0x00, 0x00, 0x04]]> : tensor<2x8xf6E2M3FN>
// args: dense<[[0x24, 0x18, 0x14, 0x14, 0x38, 0x18, 0x30, 0x18], [0x14, 0x14, 0x24, 0x38, 0x38, 0x2C, 0x0C, 0x24]]> : tensor<2x8xf6E2M3FN>
// args: dense<[[0x80, 0x7F, 0x80, 0x81], [0x7E, 0x7F, 0x7E, 0x7F]]> : tensor<2x4xf8E8M0FNU>
// args: dense<[[0x7D, 0x80, 0x7F, 0x81], [0x7F, 0x80, 0x7F, 0x7F]]> : tensor<2x4xf8E8M0FNU>
// expect: dense<[[-216.25, 19.0], [17.6875, 3.5]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-24.5, 4.25], [6.0, 4.25]]> : tensor<2x2xf32>
// wrong (scale of the next block): dense<[[-199.0, 6.5], [5.5, 5.375]]> : tensor<2x2xf32>
// wrong (scale of the block before): dense<[[-56.0, -12.5], [-4.4375, 5.875]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[-216.25, 40.1875], [16.0, 3.5]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf6E2M3FN>, %arg1: tensor<2x8xf6E2M3FN>, %arg2: tensor<2x4xf8E8M0FNU>, %arg3: tensor<2x4xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf6E2M3FN>, tensor<2x8xf6E2M3FN>, tensor<2x4xf8E8M0FNU>, tensor<2x4xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
