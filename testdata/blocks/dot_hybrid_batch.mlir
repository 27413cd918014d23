// clause: dot_general: products of dequantized elements, each with its block's parameters
// Batches, with blocks along the contracted dimension.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-1.0, -4.0, 3.0, -3.0], [0.25, -1.0, -3.0, 2.0]], [[-1.5, -3.0, -1.0, -3.0], [1.0, -4.0, -0.5, 1.5]]]> : tensor<2x2x4xf32>
// args: dense<[[[5, 0, -4], [-7, -1, -5], [-3, 0, -7], [-3, -2, 1]], [[1, -2, 1], [6, -3, 0], [3, -8, 0], [-7, -8, -8]]]> : tensor<2x4x3xi4>
// expect: dense<[[[11.5, 3.5, 6.0], [4.875, -0.5, 7.75]], [[-5.25, 14.0, 5.25], [-14.5, 3.0, -2.5]]]> : tensor<2x2x3xf32>
// wrong (scales per block left out): dense<[[[23.0, 1.0e+01, 0.0], [11.25, -3.0, 27.0]], [[-1.5, 44.0, 22.5], [-35.0, 2.0, -11.0]]]> : tensor<2x2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[[5.75, 4.0, -6.0], [3.5625, -1.75, 12.5]], [[4.125, 19.0, 11.625], [-11.75, -1.5, -5.75]]]> : tensor<2x2x3xf32>
// wrong (blocks half as long): dense<[[[2.25, 2.5, -4.25], [5.375, -0.75, 11.75]], [[-1.5, 13.75, 5.25], [-8.875, 1.0, -2.5]]]> : tensor<2x2x3xf32>
// wrong (blocks twice as long): dense<[[[11.5, 5.0, 0.0], [5.625, -1.5, 13.5]], [[-0.75, 22.0, 11.25], [-17.5, 1.0, -5.5]]]> : tensor<2x2x3xf32>
module {
  func.func @main(%arg0: tensor<2x2x4xf32>, %arg1: tensor<2x4x3x!quant.uniform<i4:f32:{1:2}, {{{0.5}, {0.25}}}>>) -> tensor<2x2x3xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x2x4xf32>, tensor<2x4x3x!quant.uniform<i4:f32:{1:2}, {{{0.5}, {0.25}}}>>) -> tensor<2x2x3xf32>
    func.return %r : tensor<2x2x3xf32>
  }
}
