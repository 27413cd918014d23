// clause: dot_general: products of dequantized elements, each with its block's parameters
// Blocks along both dimensions of the weights.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-0.5, 4.0, -4.0, -4.0], [0.25, -1.0, 1.0, -1.0]]> : tensor<2x4xf32>
// args: dense<[[-2, 3, 6, 3], [3, -6, -1, -5], [-1, 7, -2, 2], [-2, 7, -8, 7]]> : tensor<4x4xi8>
// expect: dense<[[30.5, -124.75, 28.25, -32.375], [0.25, 3.375, 5.125, -2.3125]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[25.0, -81.5, 33.0, -57.5], [-2.5, 6.75, 8.5, 0.75]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[12.25, -48.375, 76.5, -82.75], [-0.125, 1.6875, 13.25, -7.125]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[30.5, -48.375, 76.5, -32.375], [0.25, 1.6875, 13.25, -2.3125]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[30.5, -124.75, 76.5, -82.75], [0.25, 3.375, 13.25, -7.125]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5, 0.25}, {2.0, 0.75}}>>) -> tensor<2x4xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5, 0.25}, {2.0, 0.75}}>>) -> tensor<2x4xf32>
    func.return %r : tensor<2x4xf32>
  }
}
