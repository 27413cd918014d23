// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks along three dimensions, of 1, 2 and all elements. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-0.5, -8.0, 0.75, 2.0], [0.5, 0.5, -0.25, 0.75], [2.0, 0.3, -0.5, 2.0], [6.0, -0.5, 3.5, 6.0]], [[0.3, 0.3, 0.75, -8.0], [1.1, 1.1, -8.0, 0.3], [0.75, 1.1, -1.0, -3.7], [2.0, 6.0, 0.5, 0.0]]]> : tensor<2x4x4xf32>
// expect: dense<[[[3, 0, 15, 15], [13, 13, 6, 15], [3, 0, 0, 3], [9, 0, 5, 9]], [[15, 15, 15, 0], [15, 15, 0, 15], [4, 4, 2, 0], [5, 8, 3, 3]]]> : tensor<2x4x4xui4>
// wrong (rounded toward zero; rounded down): dense<[[[3, 0, 15, 15], [13, 13, 5, 15], [2, 0, 0, 2], [8, 0, 5, 8]], [[15, 15, 15, 0], [15, 15, 0, 15], [3, 3, 2, 0], [4, 7, 3, 3]]]> : tensor<2x4x4xui4>
// wrong (wrapped instead of saturated): dense<[[[3, 8, 0, 12], [13, 13, 6, 0], [3, 0, 15, 3], [9, 15, 5, 9]], [[0, 0, 2, 4], [3, 3, 4, 0], [4, 4, 2, 0], [5, 8, 3, 3]]]> : tensor<2x4x4xui4>
// wrong (unsigned storage read and saturated as signed): dense<[[[3, 0, 7, 7], [7, 7, 6, 7], [3, 0, 0, 3], [7, 0, 5, 7]], [[7, 7, 7, 0], [7, 7, 0, 7], [4, 4, 2, 0], [5, 7, 3, 3]]]> : tensor<2x4x4xui4>
// wrong (scales per block left out): dense<[[[8, 0, 9, 10], [8, 8, 8, 9], [2, 0, 0, 2], [6, 0, 4, 6]], [[15, 15, 15, 7], [15, 15, 7, 15], [4, 4, 2, 0], [5, 9, 4, 3]]]> : tensor<2x4x4xui4>
// wrong (scale of the next block; scale of the block before): dense<[[[7, 0, 9, 11], [9, 9, 8, 9], [15, 3, 0, 15], [15, 0, 15, 15]], [[15, 15, 15, 9], [15, 15, 9, 15], [6, 7, 0, 0], [10, 15, 5, 3]]]> : tensor<2x4x4xui4>
// wrong (zero point of the next block; zero point of the block before): dense<[[[0, 0, 8, 15], [5, 5, 0, 8], [11, 8, 7, 11], [15, 7, 13, 15]], [[4, 4, 6, 0], [7, 7, 0, 4], [15, 15, 14, 12], [15, 15, 15, 15]]]> : tensor<2x4x4xui4>
// wrong (blocks half as long): dense<[[[3, 0, 15, 15], [1, 1, 0, 1], [15, 11, 3, 15], [9, 0, 5, 9]], [[15, 15, 15, 0], [4, 4, 0, 3], [15, 15, 12, 3], [5, 8, 3, 3]]]> : tensor<2x4x4xui4>
// wrong (blocks twice as long): dense<[[[3, 0, 15, 15], [13, 13, 6, 15], [15, 11, 3, 15], [15, 3, 15, 15]], [[15, 15, 15, 0], [15, 15, 0, 15], [15, 15, 12, 3], [15, 15, 15, 15]]]> : tensor<2x4x4xui4>
module {
  func.func @main(%arg0: tensor<2x4x4xf32>) -> tensor<2x4x4x!quant.uniform<u4:f32:{0:1, 1:2, 2:4}, {{{0.1:8}, {0.7}}, {{0.3:15}, {1.3:3}}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x4x4xf32>) -> tensor<2x4x4x!quant.uniform<u4:f32:{0:1, 1:2, 2:4}, {{{0.1:8}, {0.7}}, {{0.3:15}, {1.3:3}}}>>
    func.return %r : tensor<2x4x4x!quant.uniform<u4:f32:{0:1, 1:2, 2:4}, {{{0.1:8}, {0.7}}, {{0.3:15}, {1.3:3}}}>>
  }
}
