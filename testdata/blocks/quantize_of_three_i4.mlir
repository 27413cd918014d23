// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks along three dimensions, of 1, 2 and all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-8.0, 0.75, -3.7, 1.1], [0.0, -0.25, 3.5, 0.0], [-0.25, -8.0, 9.0, 2.0], [0.3, -3.7, -3.7, -0.25]], [[-0.5, 9.0, 6.0, 2.0], [9.0, -8.0, 6.0, 0.5], [-8.0, 0.3, 2.0, 0.5], [0.5, -0.5, 1.1, 1.1]]]> : tensor<2x4x4xf32>
// expect: dense<[[[-8, 2, -7, 2], [0, 0, 7, 0], [-1, -8, 7, 7], [1, -8, -8, -1]], [[0, 4, 3, 1], [4, -4, 3, 0], [-8, 0, 3, 1], [1, -1, 1, 1]]]> : tensor<2x4x4xi4>
// wrong (ties rounded away from zero): dense<[[[-8, 2, -7, 2], [0, -1, 7, 0], [-1, -8, 7, 7], [1, -8, -8, -1]], [[0, 5, 3, 1], [5, -4, 3, 0], [-8, 0, 3, 1], [1, -1, 1, 1]]]> : tensor<2x4x4xi4>
// wrong (rounded toward zero): dense<[[[-8, 1, -7, 2], [0, 0, 7, 0], [-1, -8, 7, 7], [1, -8, -8, -1]], [[0, 4, 3, 1], [4, -4, 3, 0], [-8, 0, 2, 0], [0, 0, 1, 1]]]> : tensor<2x4x4xi4>
// wrong (rounded down): dense<[[[-8, 1, -8, 2], [0, -1, 7, 0], [-1, -8, 7, 7], [1, -8, -8, -1]], [[-1, 4, 3, 1], [4, -4, 3, 0], [-8, 0, 2, 0], [0, -1, 1, 1]]]> : tensor<2x4x4xi4>
// wrong (wrapped instead of saturated): dense<[[[0, 2, -7, 2], [0, 0, 7, 0], [-1, 0, 4, -8], [1, 1, 1, -1]], [[0, 4, 3, 1], [4, -4, 3, 0], [5, 0, 3, 1], [1, -1, 1, 1]]]> : tensor<2x4x4xi4>
// wrong (scales per block left out): dense<[[[-8, 1, -4, 1], [0, 0, 4, 0], [0, -8, 7, 2], [0, -4, -4, 0]], [[0, 7, 6, 2], [7, -8, 6, 0], [-8, 0, 2, 0], [0, 0, 1, 1]]]> : tensor<2x4x4xi4>
// wrong (scale of the next block; scale of the block before): dense<[[[-8, 3, -8, 4], [0, -1, 7, 0], [0, -8, 7, 4], [1, -7, -7, 0]], [[-1, 7, 7, 3], [7, -8, 7, 1], [-4, 0, 1, 0], [0, 0, 1, 1]]]> : tensor<2x4x4xi4>
// wrong (blocks half as long): dense<[[[-8, 2, -7, 2], [0, -1, 7, 0], [0, -8, 7, 4], [1, -8, -8, -1]], [[0, 4, 3, 1], [7, -8, 7, 1], [-4, 0, 1, 0], [1, -1, 1, 1]]]> : tensor<2x4x4xi4>
// wrong (blocks twice as long): dense<[[[-8, 2, -7, 2], [0, 0, 7, 0], [0, -8, 7, 4], [1, -7, -7, 0]], [[0, 4, 3, 1], [4, -4, 3, 0], [-4, 0, 1, 0], [0, 0, 1, 1]]]> : tensor<2x4x4xi4>
module {
  func.func @main(%arg0: tensor<2x4x4xf32>) -> tensor<2x4x4x!quant.uniform<i4:f32:{0:1, 1:2, 2:4}, {{{0.5}, {0.25}}, {{2.0}, {0.75}}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x4x4xf32>) -> tensor<2x4x4x!quant.uniform<i4:f32:{0:1, 1:2, 2:4}, {{{0.5}, {0.25}}, {{2.0}, {0.75}}}>>
    func.return %r : tensor<2x4x4x!quant.uniform<i4:f32:{0:1, 1:2, 2:4}, {{{0.5}, {0.25}}, {{2.0}, {0.75}}}>>
  }
}
