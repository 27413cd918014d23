// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks of one element: every element has its own scale. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[3.5, 6.0, -8.0], [-8.0, 0.0, 0.0]]> : tensor<2x3xf32>
// expect: dense<[[15, 9, 0], [0, 8, 0]]> : tensor<2x3xui4>
// wrong (rounded toward zero; rounded down): dense<[[15, 8, 0], [0, 8, 0]]> : tensor<2x3xui4>
// wrong (wrapped instead of saturated): dense<[[11, 9, 4], [13, 8, 0]]> : tensor<2x3xui4>
// wrong (unsigned storage read and saturated as signed): dense<[[7, 7, 0], [0, 7, 0]]> : tensor<2x3xui4>
// wrong (scales per block left out): dense<[[12, 6, 7], [0, 8, 0]]> : tensor<2x3xui4>
// wrong (scale of the next block): dense<[[13, 15, 0], [0, 8, 0]]> : tensor<2x3xui4>
// wrong (scale of the block before): dense<[[15, 15, 4], [0, 8, 0]]> : tensor<2x3xui4>
// wrong (zero point of the next block): dense<[[15, 15, 0], [2, 0, 3]]> : tensor<2x3xui4>
// wrong (zero point of the block before; blocks twice as long): dense<[[15, 15, 0], [0, 3, 8]]> : tensor<2x3xui4>
module {
  func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<u4:f32:{0:1, 1:1}, {{0.1:8, 0.7, 0.3:15}, {1.3:3, 0.017:8, 2.9}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<u4:f32:{0:1, 1:1}, {{0.1:8, 0.7, 0.3:15}, {1.3:3, 0.017:8, 2.9}}>>
    func.return %r : tensor<2x3x!quant.uniform<u4:f32:{0:1, 1:1}, {{0.1:8, 0.7, 0.3:15}, {1.3:3, 0.017:8, 2.9}}>>
  }
}
