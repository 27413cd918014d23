// clause: dot_general: products of dequantized elements, each with its block's parameters
// Two contracted dimensions, each with blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-2.0, -1.0, 1.0, -4.0], [-1.0, -0.5, -0.5, 1.5]], [[-0.5, -1.5, -4.0, -1.0], [-1.5, -0.5, -2.0, -4.0]]]> : tensor<2x2x4xf32>
// args: dense<[[[2, 4, -6], [7, 0, -2], [-1, -8, -6], [0, -6, -4]], [[4, -7, 4], [-8, 1, 1], [-1, -6, -4], [4, 2, 7]]]> : tensor<2x4x3xi4>
// expect: dense<[[-0.875, 17.5, 9.875], [-19.25, 31.5, -18.0]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-5.5, 20.5, 32.0], [-23.5, 5.0e+01, 7.5]]> : tensor<2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[9.75, 22.875, 30.125], [-30.375, 34.0, -29.375]]> : tensor<2x3xf32>
// wrong (blocks half as long): dense<[[-3.75, 19.875, 11.0], [-18.125, 55.125, -2.125]]> : tensor<2x3xf32>
// wrong (blocks twice as long): dense<[[7.0, 29.0, 28.0], [-35.75, 46.0, -36.0]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x2x4xf32>, %arg1: tensor<2x4x3x!quant.uniform<i4:f32:{0:1, 1:2}, {{{0.5}, {0.25}}, {{2.0}, {0.75}}}>>) -> tensor<2x3xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>} : (tensor<2x2x4xf32>, tensor<2x4x3x!quant.uniform<i4:f32:{0:1, 1:2}, {{{0.5}, {0.25}}, {{2.0}, {0.75}}}>>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
