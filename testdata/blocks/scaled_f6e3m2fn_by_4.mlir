// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Elements of f6E3M2FN, a power of two for each block of 4.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x30, 0x12, 0x2E, 0x14, 0x10, 0x08, 0x34, 0x28], [0x08, 0x28, 0x00, 0x2C, 0x32, 0x32, 0x08, 0x12]]> : tensor<2x8xf6E3M2FN>
// args: dense<[[0x12, 0x0C, 0x08, 0x10, 0x34, 0x0C, 0x28, 0x0E], [0x14, 0x2E, 0x34, 0x00, 0x34, 0x14, 0x10, 0x14]]> : tensor<2x8xf6E3M2FN>
// args: dense<[[0x81, 0x7F], [0x7F, 0x80]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x81, 0x7D], [0x81, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[66.4375, -112.0], [2.625, 24.0]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-2.0, -22.5], [12.25, 15.75]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-98.9375, -259.25], [52.5, 54.75]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[66.4375, -34.0], [-9.375, 24.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf6E3M2FN>, %arg1: tensor<2x8xf6E3M2FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf6E3M2FN>, tensor<2x8xf6E3M2FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
