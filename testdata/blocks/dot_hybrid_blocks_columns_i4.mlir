// clause: dot_general: products of dequantized elements, each with its block's parameters
// A scale for each block of each column, as of int4 weights by groups.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[2.0, 2.0, 3.0, -1.5], [-0.5, -3.0, 1.5, 4.0]]> : tensor<2x4xf32>
// args: dense<[[-6, -7, -2], [7, 5, 2], [6, 6, 3], [1, -1, -3]]> : tensor<4x3xi4>
// expect: dense<[[13.375, 28.25, 1.6875], [0.75, 4.625, -10.9375]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[18.5, 15.5, 13.5], [-5.0, -6.5, -12.5]]> : tensor<2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[9.75, -1.125, 27.0], [-7.0, -16.0, -15.625]]> : tensor<2x3xf32>
// wrong (blocks half as long): dense<[[12.375, 18.25, 11.0625], [-6.75, -25.375, 8.75]]> : tensor<2x3xf32>
// wrong (blocks twice as long): dense<[[9.25, 3.875, 27.0], [-2.5, -1.625, -25.0]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x3x!quant.uniform<i4:f32:{0:2, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>) -> tensor<2x3xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x3x!quant.uniform<i4:f32:{0:2, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
