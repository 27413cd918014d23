// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks of 2 by 3: the table is row-major.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0.0, 2.0, 1.1, -3.7, 6.0, 9.0], [0.0, 3.5, -8.0, 9.0, -0.5, 3.5], [-3.7, -8.0, 1.1, 2.0, -8.0, -0.25], [1.1, -0.5, 2.0, -3.7, 6.0, 0.75]]> : tensor<4x6xf32>
// expect: dense<[[0, 4, 2, -8, 7, 7], [0, 7, -8, 7, -2, 7], [-2, -4, 1, 3, -8, 0], [1, 0, 1, -5, 7, 1]]> : tensor<4x6xi4>
// wrong (rounded toward zero): dense<[[0, 4, 2, -8, 7, 7], [0, 7, -8, 7, -2, 7], [-1, -4, 0, 2, -8, 0], [0, 0, 1, -4, 7, 1]]> : tensor<4x6xi4>
// wrong (rounded down): dense<[[0, 4, 2, -8, 7, 7], [0, 7, -8, 7, -2, 7], [-2, -4, 0, 2, -8, -1], [0, -1, 1, -5, 7, 1]]> : tensor<4x6xi4>
// wrong (wrapped instead of saturated): dense<[[0, 4, 2, 1, -8, 4], [0, 7, 0, 4, -2, -2], [-2, -4, 1, 3, 5, 0], [1, 0, 1, -5, -8, 1]]> : tensor<4x6xi4>
// wrong (scales per block left out): dense<[[0, 2, 1, -4, 6, 7], [0, 4, -8, 7, 0, 4], [-4, -8, 1, 2, -8, 0], [1, 0, 2, -4, 6, 1]]> : tensor<4x6xi4>
// wrong (scale of the next block; scale of the block before): dense<[[0, 7, 4, -7, 7, 7], [0, 7, -8, 7, -1, 7], [-5, -8, 1, 1, -4, 0], [1, -1, 3, -2, 3, 0]]> : tensor<4x6xi4>
// wrong (blocks twice as long): dense<[[0, 4, 2, -7, 7, 7], [0, 7, -8, 7, -1, 7], [-2, -4, 1, 1, -4, 0], [1, 0, 1, -2, 3, 0]]> : tensor<4x6xi4>
module {
  func.func @main(%arg0: tensor<4x6xf32>) -> tensor<4x6x!quant.uniform<i4:f32:{0:2, 1:3}, {{0.5, 0.25}, {2.0, 0.75}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x6xf32>) -> tensor<4x6x!quant.uniform<i4:f32:{0:2, 1:3}, {{0.5, 0.25}, {2.0, 0.75}}>>
    func.return %r : tensor<4x6x!quant.uniform<i4:f32:{0:2, 1:3}, {{0.5, 0.25}, {2.0, 0.75}}>>
  }
}
