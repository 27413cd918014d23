// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// A NaN scale for all: every result is NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x44, 0xB8, 0xBC, 0x40], [0xC8, 0xC0, 0xB0, 0xC8]]> : tensor<2x4xf8E4M3FN>
// args: dense<[[0x38, 0x44, 0x00, 0xC8], [0x30, 0x48, 0x48, 0x40]]> : tensor<2x4xf8E4M3FN>
// args: dense<[[0x81, 0x7F], [0x7F, 0x7D]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7D, 0x80], [0x7F, 0x80]]> : tensor<2x2xf8E8M0FNU>
// args: dense<0x7FC00000> : tensor<f32>
// expect: dense<[[0x7FC00000, 0x7FC00000], [0x7FC00000, 0x7FC00000]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x4xf8E4M3FN>, %arg1: tensor<2x4xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>, %arg4: tensor<f32>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<2x4xf8E4M3FN>, tensor<2x4xf8E4M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>, tensor<f32>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
