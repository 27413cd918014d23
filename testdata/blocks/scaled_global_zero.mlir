// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// A scale of zero for all.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0xB0, 0xC4, 0x44, 0x38], [0xC4, 0xB8, 0xC0, 0xC8]]> : tensor<2x4xf8E4M3FN>
// args: dense<[[0xB8, 0xB8, 0xC0, 0xB8], [0xBC, 0xB0, 0x00, 0xC8]]> : tensor<2x4xf8E4M3FN>
// args: dense<[[0x7F, 0x7D], [0x7D, 0x80]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7D, 0x7D], [0x81, 0x7D]]> : tensor<2x2xf8E8M0FNU>
// args: dense<0.0> : tensor<f32>
// expect: dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf32>
// wrong (scales per block left out; scale of the next block; scale of the block before): dense<[[-0.0, -0.0], [0.0, 0.0]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[0.0, -0.0], [0.0, 0.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x4xf8E4M3FN>, %arg1: tensor<2x4xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>, %arg4: tensor<f32>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<2x4xf8E4M3FN>, tensor<2x4xf8E4M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>, tensor<f32>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
