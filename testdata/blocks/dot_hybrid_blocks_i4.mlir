// clause: dot_general: products of dequantized elements, each with its block's parameters
// Blocks of 2 along the contracted dimension.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-0.5, -2.0, 0.5, 3.0], [-4.0, -3.0, 1.5, -3.0]]> : tensor<2x4xf32>
// args: dense<[[3, -7, -2], [-7, -6, 5], [5, -6, -1], [-6, 5, -7]]> : tensor<4x3xi4>
// expect: dense<[[2.375, 10.75, -9.875], [10.875, 17.0, 1.375]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-3.0, 27.5, -30.5], [34.5, 22.0, 12.5]]> : tensor<2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-4.625, 9.875, -13.0], [15.0, -0.5, 8.0]]> : tensor<2x3xf32>
// wrong (blocks half as long): dense<[[-0.5, 7.0, -7.5], [7.5, 10.25, 4.75]]> : tensor<2x3xf32>
// wrong (blocks twice as long): dense<[[-1.5, 13.75, -15.25], [17.25, 11.0, 6.25]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x3x!quant.uniform<i4:f32:{0:2}, {{0.5}, {0.25}}>>) -> tensor<2x3xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x3x!quant.uniform<i4:f32:{0:2}, {{0.5}, {0.25}}>>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
