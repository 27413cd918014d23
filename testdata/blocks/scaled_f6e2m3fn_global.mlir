// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// A scale for all multiplies the sums.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x34, 0x30, 0x14, 0x18, 0x00, 0x00, 0x14, 0x18], [0x24, 0x10, 0x04, 0x14, 0x38, 0x28, 0x04, 0x18]]> : tensor<2x8xf6E2M3FN>
// args: dense<[[0x14, 0x2C, 0x38, 0x28, 0x34, 0x00, 0x08, 0x24], [0x18, 0x30, 0x2C, 0x38, 0x04, 0x18, 0x28, 0x28]]> : tensor<2x8xf6E2M3FN>
// args: dense<[[0x7F, 0x81], [0x7F, 0x81]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7D, 0x80], [0x7E, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// args: dense<0.7> : tensor<f32>
// expect: dense<[[1.75, -19.775], [57.1375, -21.262499]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-14.7, -24.85], [0.7, -20.475]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-123.025, -42.35], [-51.3625, -29.925]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[1.75, -44.1875], [11.375, -21.262499]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf6E2M3FN>, %arg1: tensor<2x8xf6E2M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>, %arg4: tensor<f32>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<2x8xf6E2M3FN>, tensor<2x8xf6E2M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>, tensor<f32>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
