// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Elements of f6E3M2FN, a power of two for each block of 2.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x2E, 0x32, 0x00, 0x00, 0x12, 0x00, 0x0C, 0x30], [0x14, 0x28, 0x2E, 0x12, 0x32, 0x08, 0x28, 0x0E]]> : tensor<2x8xf6E3M2FN>
// args: dense<[[0x0E, 0x12, 0x0C, 0x0C, 0x10, 0x28, 0x10, 0x30], [0x10, 0x30, 0x0C, 0x32, 0x2E, 0x0E, 0x00, 0x28]]> : tensor<2x8xf6E3M2FN>
// args: dense<[[0x81, 0x7E, 0x81, 0x7E], [0x7E, 0x80, 0x81, 0x7E]]> : tensor<2x4xf8E8M0FNU>
// args: dense<[[0x7F, 0x7E, 0x81, 0x7F], [0x7D, 0x80, 0x7F, 0x81]]> : tensor<2x4xf8E8M0FNU>
// expect: dense<[[54.0, -13.0], [-98.25, -21.375]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[0.75, -0.5], [-4.25, 3.0]]> : tensor<2x2xf32>
// wrong (scale of the next block): dense<[[24.1875, -5.0], [23.375, 4.40625]]> : tensor<2x2xf32>
// wrong (scale of the block before): dense<[[91.875, 5.5], [-67.25, 34.6875]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[54.0, -7.0e+01], [-27.0, -21.375]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf6E3M2FN>, %arg1: tensor<2x8xf6E3M2FN>, %arg2: tensor<2x4xf8E8M0FNU>, %arg3: tensor<2x4xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf6E3M2FN>, tensor<2x8xf6E3M2FN>, tensor<2x4xf8E8M0FNU>, tensor<2x4xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
