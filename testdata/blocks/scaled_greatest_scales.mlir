// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// 2^127 times 448 is infinite in f32.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x7E, 0x38, 0x38, 0x38]]> : tensor<1x4xf8E4M3FN>
// args: dense<[[0x38, 0x38, 0x38, 0x38], [0x00, 0x38, 0x38, 0x38]]> : tensor<2x4xf8E4M3FN>
// args: dense<[[0xFE, 0x7F]]> : tensor<1x2xf8E8M0FNU>
// args: dense<[[0x7D, 0x7F], [0x7E, 0x80]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[0x7F800000, 0xFFC00000]]> : tensor<1x2xf32>
// wrong (scales per block left out): dense<[[451.0, 3.0]]> : tensor<1x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[8.507059e+37, 1.7014118e+38]]> : tensor<1x2xf32>
// wrong (scales of the other operand): dense<[[0x7F800000, 4.2535296e+37]]> : tensor<1x2xf32>
module {
  func.func @main(%arg0: tensor<1x4xf8E4M3FN>, %arg1: tensor<2x4xf8E4M3FN>, %arg2: tensor<1x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<1x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<1x4xf8E4M3FN>, tensor<2x4xf8E4M3FN>, tensor<1x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<1x2xf32>
    func.return %r : tensor<1x2xf32>
  }
}
