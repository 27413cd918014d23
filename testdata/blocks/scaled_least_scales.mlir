// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// 2^-127 is subnormal in f32, and it times an element, too.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x40, 0x38, 0xC0, 0x3C]]> : tensor<1x4xf8E4M3FN>
// args: dense<[[0xC4, 0x38, 0x00, 0x44], [0x48, 0xC8, 0x40, 0x48]]> : tensor<2x4xf8E4M3FN>
// args: dense<[[0x00, 0x00]]> : tensor<1x2xf8E8M0FNU>
// args: dense<[[0xFE, 0xF7], [0x7F, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[0xFF800000, 3.526483e-38]]> : tensor<1x2xf32>
// wrong (scales per block left out): dense<[[-0.5, 6.0]]> : tensor<1x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[0x7F800000, 3.526483e-38]]> : tensor<1x2xf32>
// wrong (scales of the other operand): dense<[[0xFF800000, 0x7F800000]]> : tensor<1x2xf32>
module {
  func.func @main(%arg0: tensor<1x4xf8E4M3FN>, %arg1: tensor<2x4xf8E4M3FN>, %arg2: tensor<1x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<1x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<1x4xf8E4M3FN>, tensor<2x4xf8E4M3FN>, tensor<1x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<1x2xf32>
    func.return %r : tensor<1x2xf32>
  }
}
