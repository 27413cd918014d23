// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// f8E5M2 has infinities: times a zero NaN, else infinite.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x3C, 0x40, 0x7C, 0x3C], [0x3C, 0x3C, 0x3C, 0x3C]]> : tensor<2x4xf8E5M2>
// args: dense<[[0x3C, 0x3C, 0x00, 0x3C], [0x3C, 0x3C, 0x40, 0x3C]]> : tensor<2x4xf8E5M2>
// args: dense<[[0x7D, 0x7D], [0x7E, 0x81]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x80, 0x81], [0x80, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[0xFFC00000, 0x7F800000], [18.0, 14.0]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[0xFFC00000, 0x7F800000], [3.0, 5.0]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[0xFFC00000, 0x7F800000], [33.0, 11.0]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[0xFFC00000, 0x7F800000], [1.25, 14.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x4xf8E5M2>, %arg1: tensor<2x4xf8E5M2>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x4xf8E5M2>, tensor<2x4xf8E5M2>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
