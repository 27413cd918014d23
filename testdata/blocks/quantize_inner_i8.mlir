// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks along the middle dimension.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-1.0, 64.0, -64.5], [0.24, 0.5, 0.26], [-0.0, -64.0, -64.0], [1.0, -0.0, 0.0]], [[0.5, 0.24, 63.5], [64.0, -1.0, 0.5], [63.5, 1.0, 0.24], [1.0, -0.25, -0.25]]]> : tensor<2x4x3xf32>
// expect: dense<[[[-2, 127, -128], [0, 1, 1], [0, -128, -128], [4, 0, 0]], [[1, 0, 127], [127, -2, 1], [127, 4, 1], [4, -1, -1]]]> : tensor<2x4x3xi8>
// wrong (rounded toward zero; rounded down): dense<[[[-2, 127, -128], [0, 1, 0], [0, -128, -128], [4, 0, 0]], [[1, 0, 127], [127, -2, 1], [127, 4, 0], [4, -1, -1]]]> : tensor<2x4x3xi8>
// wrong (wrapped instead of saturated): dense<[[[-2, -128, 127], [0, 1, 1], [0, 0, 0], [4, 0, 0]], [[1, 0, 127], [-128, -2, 1], [-2, 4, 1], [4, -1, -1]]]> : tensor<2x4x3xi8>
// wrong (scales per block left out): dense<[[[-1, 64, -64], [0, 0, 0], [0, -64, -64], [1, 0, 0]], [[0, 0, 64], [64, -1, 0], [64, 1, 0], [1, 0, 0]]]> : tensor<2x4x3xi8>
// wrong (scale of the next block; scale of the block before): dense<[[[-4, 127, -128], [1, 2, 1], [0, -128, -128], [2, 0, 0]], [[2, 1, 127], [127, -4, 2], [127, 2, 0], [2, 0, 0]]]> : tensor<2x4x3xi8>
// wrong (blocks half as long): dense<[[[-2, 127, -128], [1, 2, 1], [0, -128, -128], [4, 0, 0]], [[1, 0, 127], [127, -4, 2], [127, 2, 0], [4, -1, -1]]]> : tensor<2x4x3xi8>
// wrong (blocks twice as long): dense<[[[-2, 127, -128], [0, 1, 1], [0, -128, -128], [2, 0, 0]], [[1, 0, 127], [127, -2, 1], [127, 2, 0], [2, 0, 0]]]> : tensor<2x4x3xi8>
module {
  func.func @main(%arg0: tensor<2x4x3xf32>) -> tensor<2x4x3x!quant.uniform<i8:f32:{1:2}, {{{0.5}, {0.25}}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x4x3xf32>) -> tensor<2x4x3x!quant.uniform<i8:f32:{1:2}, {{{0.5}, {0.25}}}>>
    func.return %r : tensor<2x4x3x!quant.uniform<i8:f32:{1:2}, {{{0.5}, {0.25}}}>>
  }
}
