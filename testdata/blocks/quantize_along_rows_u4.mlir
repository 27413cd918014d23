// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks of 2 along rows: dimension 1, which is not named, is one block. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-8.0, 1.1, 2.0], [-1.0, 0.3, 2.0], [0.3, 6.0, 3.5], [9.0, 0.75, 0.0]]> : tensor<4x3xf32>
// expect: dense<[[0, 15, 15], [0, 11, 15], [0, 9, 5], [13, 1, 0]]> : tensor<4x3xui4>
// wrong (rounded toward zero; rounded down): dense<[[0, 15, 15], [0, 11, 15], [0, 8, 5], [12, 1, 0]]> : tensor<4x3xui4>
// wrong (wrapped instead of saturated): dense<[[8, 3, 12], [14, 11, 12], [0, 9, 5], [13, 1, 0]]> : tensor<4x3xui4>
// wrong (unsigned storage read and saturated as signed): dense<[[0, 7, 7], [0, 7, 7], [0, 7, 5], [7, 1, 0]]> : tensor<4x3xui4>
// wrong (scales per block left out): dense<[[0, 9, 10], [7, 8, 10], [0, 6, 4], [9, 1, 0]]> : tensor<4x3xui4>
// wrong (scale of the next block; scale of the block before): dense<[[0, 10, 11], [7, 8, 11], [3, 15, 15], [15, 8, 0]]> : tensor<4x3xui4>
// wrong (zero point of the next block; zero point of the block before): dense<[[0, 11, 15], [0, 3, 15], [8, 15, 13], [15, 9, 8]]> : tensor<4x3xui4>
// wrong (blocks half as long): dense<[[0, 15, 15], [0, 0, 3], [11, 15, 15], [13, 1, 0]]> : tensor<4x3xui4>
// wrong (blocks twice as long): dense<[[0, 15, 15], [0, 11, 15], [11, 15, 15], [15, 15, 8]]> : tensor<4x3xui4>
module {
  func.func @main(%arg0: tensor<4x3xf32>) -> tensor<4x3x!quant.uniform<u4:f32:{0:2}, {{0.1:8}, {0.7}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x3xf32>) -> tensor<4x3x!quant.uniform<u4:f32:{0:2}, {{0.1:8}, {0.7}}>>
    func.return %r : tensor<4x3x!quant.uniform<u4:f32:{0:2}, {{0.1:8}, {0.7}}>>
  }
}
