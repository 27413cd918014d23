// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// Blocks along the middle dimension.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-8, 7, -4], [-4, 2, -5], [4, -6, -1], [-6, 0, 3]], [[1, -5, 6], [0, -5, -7], [1, -8, -8], [-6, 5, -5]]]> : tensor<2x4x3xi4>
// expect: dense<[[[-4.0, 3.5, -2.0], [-2.0, 1.0, -2.5], [1.0, -1.5, -0.25], [-1.5, 0.0, 0.75]], [[0.5, -2.5, 3.0], [0.0, -2.5, -3.5], [0.25, -2.0, -2.0], [-1.5, 1.25, -1.25]]]> : tensor<2x4x3xf32>
// wrong (scales per block left out): dense<[[[-8.0, 7.0, -4.0], [-4.0, 2.0, -5.0], [4.0, -6.0, -1.0], [-6.0, 0.0, 3.0]], [[1.0, -5.0, 6.0], [0.0, -5.0, -7.0], [1.0, -8.0, -8.0], [-6.0, 5.0, -5.0]]]> : tensor<2x4x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[[-2.0, 1.75, -1.0], [-1.0, 0.5, -1.25], [2.0, -3.0, -0.5], [-3.0, 0.0, 1.5]], [[0.25, -1.25, 1.5], [0.0, -1.25, -1.75], [0.5, -4.0, -4.0], [-3.0, 2.5, -2.5]]]> : tensor<2x4x3xf32>
// wrong (blocks half as long): dense<[[[-4.0, 3.5, -2.0], [-1.0, 0.5, -1.25], [2.0, -3.0, -0.5], [-1.5, 0.0, 0.75]], [[0.5, -2.5, 3.0], [0.0, -1.25, -1.75], [0.5, -4.0, -4.0], [-1.5, 1.25, -1.25]]]> : tensor<2x4x3xf32>
// wrong (blocks twice as long): dense<[[[-4.0, 3.5, -2.0], [-2.0, 1.0, -2.5], [2.0, -3.0, -0.5], [-3.0, 0.0, 1.5]], [[0.5, -2.5, 3.0], [0.0, -2.5, -3.5], [0.5, -4.0, -4.0], [-3.0, 2.5, -2.5]]]> : tensor<2x4x3xf32>
module {
  func.func @main(%arg0: tensor<2x4x3x!quant.uniform<i4:f32:{1:2}, {{{0.5}, {0.25}}}>>) -> tensor<2x4x3xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x4x3x!quant.uniform<i4:f32:{1:2}, {{{0.5}, {0.25}}}>>) -> tensor<2x4x3xf32>
    func.return %r : tensor<2x4x3xf32>
  }
}
