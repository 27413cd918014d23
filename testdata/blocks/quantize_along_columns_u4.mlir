// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks of 2 along columns, the same in every row. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0.75, 0.0, 0.75, 2.0], [0.75, -1.0, 0.5, 6.0], [0.3, 3.5, 0.75, 6.0]]> : tensor<3x4xf32>
// expect: dense<[[15, 8, 1, 3], [15, 0, 1, 9], [11, 15, 1, 9]]> : tensor<3x4xui4>
// wrong (rounded toward zero; rounded down): dense<[[15, 8, 1, 2], [15, 0, 0, 8], [11, 15, 1, 8]]> : tensor<3x4xui4>
// wrong (wrapped instead of saturated): dense<[[0, 8, 1, 3], [0, 14, 1, 9], [11, 11, 1, 9]]> : tensor<3x4xui4>
// wrong (unsigned storage read and saturated as signed): dense<[[7, 7, 1, 3], [7, 0, 1, 7], [7, 7, 1, 7]]> : tensor<3x4xui4>
// wrong (scales per block left out): dense<[[9, 8, 1, 2], [9, 7, 0, 6], [8, 12, 1, 6]]> : tensor<3x4xui4>
// wrong (scale of the next block; scale of the block before): dense<[[9, 8, 8, 15], [9, 7, 5, 15], [8, 13, 8, 15]]> : tensor<3x4xui4>
// wrong (zero point of the next block; zero point of the block before): dense<[[8, 0, 9, 11], [8, 0, 9, 15], [3, 15, 9, 15]]> : tensor<3x4xui4>
// wrong (blocks half as long): dense<[[15, 0, 15, 3], [15, 0, 13, 9], [11, 5, 15, 9]]> : tensor<3x4xui4>
// wrong (blocks twice as long): dense<[[15, 8, 15, 15], [15, 0, 13, 15], [11, 15, 15, 15]]> : tensor<3x4xui4>
module {
  func.func @main(%arg0: tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<u4:f32:{1:2}, {{0.1:8, 0.7}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<u4:f32:{1:2}, {{0.1:8, 0.7}}>>
    func.return %r : tensor<3x4x!quant.uniform<u4:f32:{1:2}, {{0.1:8, 0.7}}>>
  }
}
