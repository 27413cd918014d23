// clause: dot_general: products of dequantized elements, each with its block's parameters
// Blocks across the contracted dimension: each column has one scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-0.5, -2.0, 2.0, -3.0], [1.0, -4.0, -1.5, 0.25]]> : tensor<2x4xf32>
// args: dense<[[1, -4, -1, 4], [4, 7, -6, -3], [6, 4, 0, -4], [5, 0, 5, 3]]> : tensor<4x4xi8>
// expect: dense<[[-5.75, -2.0, -0.625, -3.25], [-11.375, -19.0, 6.0625, 5.6875]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[-11.5, -4.0, -2.5, -13.0], [-22.75, -38.0, 24.25, 22.75]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-2.875, -1.0, -1.25, -6.5], [-5.6875, -9.5, 12.125, 11.375]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[-5.75, -1.0, -1.25, -3.25], [-11.375, -9.5, 12.125, 5.6875]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[-5.75, -2.0, -1.25, -6.5], [-11.375, -19.0, 12.125, 11.375]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x4xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x4xf32>
    func.return %r : tensor<2x4xf32>
  }
}
