// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks along the middle dimension. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[1.1, 0.3, 2.0], [-8.0, 3.5, 0.75], [-1.0, 2.0, -8.0], [-0.25, -8.0, -1.0]], [[-1.0, -1.0, -3.7], [0.5, 2.0, -0.5], [0.75, 3.5, -8.0], [-0.5, -0.5, 3.5]]]> : tensor<2x4x3xf32>
// expect: dense<[[[130, 129, 132], [112, 135, 130], [0, 8, 0], [0, 0, 0]], [[126, 126, 121], [129, 132, 127], [3, 14, 0], [0, 0, 14]]]> : tensor<2x4x3xui8>
// wrong (rounded toward zero; rounded down): dense<[[[130, 128, 132], [112, 135, 129], [0, 8, 0], [0, 0, 0]], [[126, 126, 120], [129, 132, 127], [3, 14, 0], [0, 0, 14]]]> : tensor<2x4x3xui8>
// wrong (wrapped instead of saturated): dense<[[[130, 129, 132], [112, 135, 130], [252, 8, 224], [255, 224, 252]], [[126, 126, 121], [129, 132, 127], [3, 14, 224], [254, 254, 14]]]> : tensor<2x4x3xui8>
// wrong (unsigned storage read and saturated as signed): dense<[[[127, 127, 127], [112, 127, 127], [0, 8, 0], [0, 0, 0]], [[126, 126, 121], [127, 127, 127], [3, 14, 0], [0, 0, 14]]]> : tensor<2x4x3xui8>
// wrong (scales per block left out): dense<[[[129, 128, 130], [120, 132, 129], [0, 2, 0], [0, 0, 0]], [[127, 127, 124], [128, 130, 128], [1, 4, 0], [0, 0, 4]]]> : tensor<2x4x3xui8>
// wrong (scale of the next block; scale of the block before): dense<[[[132, 129, 136], [96, 142, 131], [0, 4, 0], [0, 0, 0]], [[124, 124, 113], [130, 136, 126], [2, 7, 0], [0, 0, 7]]]> : tensor<2x4x3xui8>
// wrong (zero point of the next block; zero point of the block before): dense<[[[2, 1, 4], [0, 7, 2], [124, 136, 96], [127, 96, 124]], [[0, 0, 0], [1, 4, 0], [131, 142, 96], [126, 126, 142]]]> : tensor<2x4x3xui8>
// wrong (blocks half as long): dense<[[[130, 129, 132], [0, 14, 3], [126, 132, 112], [0, 0, 0]], [[126, 126, 121], [2, 8, 0], [130, 135, 112], [0, 0, 14]]]> : tensor<2x4x3xui8>
// wrong (blocks twice as long): dense<[[[130, 129, 132], [112, 135, 130], [126, 132, 112], [128, 112, 126]], [[126, 126, 121], [129, 132, 127], [130, 135, 112], [127, 127, 135]]]> : tensor<2x4x3xui8>
module {
  func.func @main(%arg0: tensor<2x4x3xf32>) -> tensor<2x4x3x!quant.uniform<u8:f32:{1:2}, {{{0.5:128}, {0.25}}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x4x3xf32>) -> tensor<2x4x3x!quant.uniform<u8:f32:{1:2}, {{{0.5:128}, {0.25}}}>>
    func.return %r : tensor<2x4x3x!quant.uniform<u8:f32:{1:2}, {{{0.5:128}, {0.25}}}>>
  }
}
