// clause: dot_general: products of dequantized elements, each with its block's parameters
// Blocks across the contracted dimension: each column has one scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[3.0, -3.0, 0.25, 1.5], [2.0, 0.25, -0.5, -0.5]]> : tensor<2x4xf32>
// args: dense<[[3, 7, 6, -6], [-6, 0, 7, -6], [-7, 1, 6, 1], [4, 3, -8, 6]]> : tensor<4x4xi4>
// expect: dense<[[15.625, 12.875, -3.375, 2.3125], [3.0, 6.0, 3.6875, -4.25]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[31.25, 25.75, -13.5, 9.25], [6.0, 12.0, 14.75, -17.0]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[7.8125, 6.4375, -6.75, 4.625], [1.5, 3.0, 7.375, -8.5]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[15.625, 6.4375, -6.75, 2.3125], [3.0, 3.0, 7.375, -4.25]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[15.625, 12.875, -6.75, 4.625], [3.0, 6.0, 7.375, -8.5]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x4x!quant.uniform<i4:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x4xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x4x!quant.uniform<i4:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x4xf32>
    func.return %r : tensor<2x4xf32>
  }
}
