// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks of 2 along columns, the same in every row.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0.0, 6.0, 1.1, 0.0], [0.0, 9.0, 0.5, -1.0], [6.0, 0.3, 3.5, 3.5]]> : tensor<3x4xf32>
// expect: dense<[[0, 7, 4, 0], [0, 7, 2, -4], [7, 1, 7, 7]]> : tensor<3x4xi4>
// wrong (rounded toward zero; rounded down): dense<[[0, 7, 4, 0], [0, 7, 2, -4], [7, 0, 7, 7]]> : tensor<3x4xi4>
// wrong (wrapped instead of saturated): dense<[[0, -4, 4, 0], [0, 2, 2, -4], [-4, 1, -2, -2]]> : tensor<3x4xi4>
// wrong (scales per block left out): dense<[[0, 6, 1, 0], [0, 7, 0, -1], [6, 0, 4, 4]]> : tensor<3x4xi4>
// wrong (scale of the next block; scale of the block before; blocks twice as long): dense<[[0, 7, 2, 0], [0, 7, 1, -2], [7, 1, 7, 7]]> : tensor<3x4xi4>
// wrong (blocks half as long): dense<[[0, 7, 2, 0], [0, 7, 1, -4], [7, 1, 7, 7]]> : tensor<3x4xi4>
module {
  func.func @main(%arg0: tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i4:f32:{1:2}, {{0.5, 0.25}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i4:f32:{1:2}, {{0.5, 0.25}}>>
    func.return %r : tensor<3x4x!quant.uniform<i4:f32:{1:2}, {{0.5, 0.25}}>>
  }
}
