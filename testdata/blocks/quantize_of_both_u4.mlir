// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks of 2 by 3: the table is row-major. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[9.0, -1.0, 1.1, -0.25, 6.0, 0.5], [-0.25, -0.25, 6.0, 3.5, 9.0, 0.75], [0.75, 0.75, 0.75, 2.0, 1.1, 1.1], [0.3, -0.25, 3.5, -0.5, 0.5, 0.75]]> : tensor<4x6xf32>
// expect: dense<[[15, 0, 15, 0, 9, 1], [6, 6, 15, 5, 13, 1], [15, 15, 15, 5, 4, 4], [15, 14, 15, 3, 3, 4]]> : tensor<4x6xui4>
// wrong (rounded toward zero; rounded down): dense<[[15, 0, 15, 0, 8, 0], [5, 5, 15, 5, 12, 1], [15, 15, 15, 4, 3, 3], [15, 14, 15, 2, 3, 3]]> : tensor<4x6xui4>
// wrong (wrapped instead of saturated): dense<[[2, 14, 3, 0, 9, 1], [6, 6, 4, 5, 13, 1], [2, 2, 2, 5, 4, 4], [0, 14, 11, 3, 3, 4]]> : tensor<4x6xui4>
// wrong (unsigned storage read and saturated as signed): dense<[[7, 0, 7, 0, 7, 1], [6, 6, 7, 5, 7, 1], [7, 7, 7, 5, 4, 4], [7, 7, 7, 3, 3, 4]]> : tensor<4x6xui4>
// wrong (scales per block left out): dense<[[15, 7, 9, 0, 6, 0], [8, 8, 14, 4, 9, 1], [15, 15, 15, 5, 4, 4], [15, 15, 15, 2, 4, 4]]> : tensor<4x6xui4>
// wrong (scale of the next block; scale of the block before): dense<[[15, 7, 10, 0, 15, 5], [8, 8, 15, 15, 15, 8], [15, 15, 15, 10, 7, 7], [15, 15, 15, 1, 5, 6]]> : tensor<4x6xui4>
// wrong (zero point of the next block; zero point of the block before): dense<[[15, 0, 11, 8, 15, 9], [0, 0, 15, 13, 15, 9], [6, 6, 6, 15, 15, 15], [4, 2, 15, 15, 15, 15]]> : tensor<4x6xui4>
// wrong (blocks twice as long): dense<[[15, 0, 15, 6, 15, 13], [6, 6, 15, 15, 15, 15], [15, 15, 15, 15, 15, 15], [15, 14, 15, 13, 15, 15]]> : tensor<4x6xui4>
module {
  func.func @main(%arg0: tensor<4x6xf32>) -> tensor<4x6x!quant.uniform<u4:f32:{0:2, 1:3}, {{0.1:8, 0.7}, {0.3:15, 1.3:3}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x6xf32>) -> tensor<4x6x!quant.uniform<u4:f32:{0:2, 1:3}, {{0.1:8, 0.7}, {0.3:15, 1.3:3}}>>
    func.return %r : tensor<4x6x!quant.uniform<u4:f32:{0:2, 1:3}, {{0.1:8, 0.7}, {0.3:15, 1.3:3}}>>
  }
}
