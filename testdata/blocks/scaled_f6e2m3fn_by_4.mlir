// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Elements of f6E2M3FN, a power of two for each block of 4.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x04, 0x08, 0x08, 0x14, 0x14, 0x34, 0x08, 0x14], [0x08, 0x24, 0x30, 0x10, 0x18, 0x34, 0x24, 0x18]]> : tensor<2x8xf6E2M3FN>
// args: dense<[[0x10, 0x14, 0x08, 0x24, 0x08, 0x10, 0x04, 0x2C], [0x0C, 0x0C, 0x18, 0x10, 0x30, 0x00, 0x30, 0x0C]]> : tensor<2x8xf6E2M3FN>
// args: dense<[[0x7D, 0x7D], [0x81, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7E, 0x7E], [0x80, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[-0.4375, 5.25], [-9.125, -27.0]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-3.5, 8.75], [-10.75, -4.25]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-0.4375, 1.3125], [-17.75, -11.25]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[-0.4375, 22.75], [-3.3125, -27.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf6E2M3FN>, %arg1: tensor<2x8xf6E2M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf6E2M3FN>, tensor<2x8xf6E2M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
