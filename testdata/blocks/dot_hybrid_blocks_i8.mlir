// clause: dot_general: products of dequantized elements, each with its block's parameters
// Blocks of 2 along the contracted dimension.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[2.0, -3.0, -1.5, 3.0], [3.0, 2.0, -4.0, 2.0]]> : tensor<2x4xf32>
// args: dense<[[4, -7, -1], [-7, -4, 1], [5, -4, -5], [1, -3, -5]]> : tensor<4x3xi8>
// expect: dense<[[13.375, -1.75, -4.375], [-5.5, -12.0, 2.0]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[24.5, -5.0, -12.5], [-2.0e+01, -19.0, 9.0]]> : tensor<2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[5.0, -2.0, -5.0], [-9.5, -2.25, 4.75]]> : tensor<2x3xf32>
// wrong (blocks half as long): dense<[[6.25, -3.25, -1.75], [-7.0, -6.0, 6.5]]> : tensor<2x3xf32>
// wrong (blocks twice as long): dense<[[12.25, -2.5, -6.25], [-1.0e+01, -9.5, 4.5]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25}}>>) -> tensor<2x3xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25}}>>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
