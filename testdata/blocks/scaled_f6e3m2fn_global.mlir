// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// A scale for all multiplies the sums.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x00, 0x12, 0x30, 0x32, 0x10, 0x10, 0x0E, 0x00], [0x14, 0x30, 0x28, 0x14, 0x2C, 0x10, 0x0E, 0x08]]> : tensor<2x8xf6E3M2FN>
// args: dense<[[0x10, 0x32, 0x0C, 0x0E, 0x30, 0x2C, 0x30, 0x14], [0x00, 0x28, 0x28, 0x0E, 0x34, 0x12, 0x08, 0x10]]> : tensor<2x8xf6E3M2FN>
// args: dense<[[0x7F, 0x7D], [0x7E, 0x81]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x80, 0x80], [0x7F, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// args: dense<0.7> : tensor<f32>
// expect: dense<[[-24.85, -3.609375], [8.05, 18.9875]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-17.15, -4.375], [12.95, 13.3]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-18.025, -1.3125], [108.5, 14.2625]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[-24.85, -10.5], [13.5625, 18.9875]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf6E3M2FN>, %arg1: tensor<2x8xf6E3M2FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>, %arg4: tensor<f32>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<2x8xf6E3M2FN>, tensor<2x8xf6E3M2FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>, tensor<f32>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
