// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-3.25, -6.0, -0.5, -3.75], [5.5, -2.0, 0.5, -0.25], [-3.5, 1.75, 4.0, 0.25]], [[-1.75, 2.5, -1.75, 2.25], [-1.5, -4.0, 3.75, 5.0], [-0.75, -2.5, 0.25, -1.75]]]> : tensor<2x3x4xf32>
// args: dense<[[[-1.0, -5.75], [1.0, 3.5], [2.5, -3.25], [-5.25, 0.75]], [[5.25, -4.25], [-5.5, -4.5], [-5.25, 5.25], [5.25, -0.5]], [[-2.25, -4.0], [-2.5, 0.75], [-5.25, -4.0], [0.25, -2.5]]]> : tensor<3x4x2xf32>
// expect: dense<[[15.6875, 35.9375, -17.4375], [26.1875, 41.5625, 4.5]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<3x4x2xf32>) -> tensor<2x3xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [2, 0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<3x4x2xf32>) -> tensor<2x3xf32>
    "func.return"(%r0) : (tensor<2x3xf32>) -> ()
  }
}
