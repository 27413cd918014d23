// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-5.5, 4.25], [-5.25, -2.25], [1.25, 3.75], [-3.5, 2.0]], [[0.25, -4.5], [-5.0, 2.25], [4.0, 2.5], [-4.5, -3.75]], [[-3.0, 0.0], [-3.5, -5.75], [-2.25, 1.5], [2.0, 2.25]]]> : tensor<3x4x2xf32>
// args: dense<[[[0.75, 5.5, -2.25, -0.5, -1.25], [1.5, -2.25, -0.75, 0.0, 2.5]], [[-0.75, 3.75, -1.25, 2.25, -3.0], [4.75, -0.75, 1.75, 1.0, 5.75]], [[-4.5, 1.75, 5.0, -1.0, 3.5], [1.75, -1.5, -1.0, -2.75, -3.0]], [[0.0, -5.5, -1.25, -4.0, -4.75], [-2.75, -3.0, -3.0, -1.25, 5.25]]]> : tensor<4x2x5xf32>
// expect: dense<[[[-5.8125, -28.5, 29.5625, 3.6875, 43.625], [-14.0625, 14.375, 31.3125, 2.625, 50.0625], [10.5, -44.5625, -2.625, -12.125, -3.125]], [[-3.25, -19.5, -16.875, -15.0625, -3.0625], [18.625, 15.9375, 16.0625, 0.0625, -25.5], [-30.875, -4.6875, -18.3125, -12.6875, -25.75]]]> : tensor<2x3x5xf32>
module {
  func.func @main(%arg0: tensor<3x4x2xf32>, %arg1: tensor<4x2x5xf32>) -> tensor<2x3x5xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x2xf32>, tensor<4x2x5xf32>) -> tensor<2x3x5xf32>
    "func.return"(%r0) : (tensor<2x3x5xf32>) -> ()
  }
}
