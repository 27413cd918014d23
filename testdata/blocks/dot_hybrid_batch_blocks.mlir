// clause: dot_general: products of dequantized elements, each with its block's parameters
// Each batch has its own scales.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[4.0, 1.5, 1.5, -1.5], [1.5, 1.0, -1.5, 1.0]], [[-3.0, 3.0, 3.0, 0.5], [3.0, 1.0, 1.5, 0.5]]]> : tensor<2x2x4xf32>
// args: dense<[[[1, -2, -1], [2, -2, -4], [4, 3, -7], [-4, -8, -6]], [[0, 5, -3], [-7, -6, 4], [1, -1, 1], [-7, 6, -3]]]> : tensor<2x4x3xi4>
// expect: dense<[[[6.5, -1.375, -5.375], [-0.75, -5.625, -1.625]], [[-42.375, -66.0, 43.125], [-15.5, 19.125, -1.0e+01]]]> : tensor<2x2x3xf32>
// wrong (scales per block left out): dense<[[[19.0, 5.5, -11.5], [-6.5, -17.5, -1.0]], [[-21.5, -33.0, 22.5], [-9.0, 10.5, -5.0]]]> : tensor<2x2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[[7.75, 5.5, -3.25], [-4.125, -7.5, 0.875]], [[-16.75, -24.75, 18.75], [-9.25, 9.75, -3.75]]]> : tensor<2x2x3xf32>
// wrong (blocks half as long): dense<[[[7.25, 0.5, -6.5], [-2.75, -6.25, 2.0]], [[-12.375, -47.25, 31.875], [-4.875, 24.75, -13.125]]]> : tensor<2x2x3xf32>
// wrong (blocks twice as long): dense<[[[9.5, 2.75, -5.75], [-3.25, -8.75, -0.5]], [[-43.0, -66.0, 45.0], [-18.0, 21.0, -1.0e+01]]]> : tensor<2x2x3xf32>
module {
  func.func @main(%arg0: tensor<2x2x4xf32>, %arg1: tensor<2x4x3x!quant.uniform<i4:f32:{0:1, 1:2}, {{{0.5}, {0.25}}, {{2.0}, {0.75}}}>>) -> tensor<2x2x3xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x2x4xf32>, tensor<2x4x3x!quant.uniform<i4:f32:{0:1, 1:2}, {{{0.5}, {0.25}}, {{2.0}, {0.75}}}>>) -> tensor<2x2x3xf32>
    func.return %r : tensor<2x2x3xf32>
  }
}
