// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks of one element: every element has its own scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-1.0, -0.5, 2.0], [-8.0, -3.7, -3.7]]> : tensor<2x3xf32>
// expect: dense<[[-2, -2, 1], [-8, -2, -8]]> : tensor<2x3xi4>
// wrong (rounded down): dense<[[-2, -2, 1], [-8, -3, -8]]> : tensor<2x3xi4>
// wrong (wrapped instead of saturated): dense<[[-2, -2, 1], [5, -2, 2]]> : tensor<2x3xi4>
// wrong (scales per block left out): dense<[[-1, 0, 2], [-8, -4, -4]]> : tensor<2x3xi4>
// wrong (scale of the next block): dense<[[-4, 0, 4], [-5, -8, -5]]> : tensor<2x3xi4>
// wrong (scale of the block before): dense<[[0, -1, 7], [-8, -5, -2]]> : tensor<2x3xi4>
// wrong (blocks twice as long): dense<[[-2, -1, 7], [-8, -5, -2]]> : tensor<2x3xi4>
module {
  func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i4:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i4:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>
    func.return %r : tensor<2x3x!quant.uniform<i4:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>
  }
}
