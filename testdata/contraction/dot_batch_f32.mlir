// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[0.25, -5.25, -4.0, -4.5], [-0.5, 2.75, 2.5, -4.25], [-2.0, -1.5, 4.5, -1.5]], [[-5.5, -4.5, -3.5, -5.0], [-0.5, 2.75, 1.0, -3.0], [5.0, 0.0, 0.75, 5.25]]]> : tensor<2x3x4xf32>
// args: dense<[[[2.0, 1.75, -5.25, -2.5, -1.0], [-3.25, -3.0, -4.75, -2.25, 3.75], [-5.75, -1.75, -5.5, 6.0, -1.0], [6.0, 6.0, 6.0, -6.0, -5.0]], [[5.75, 1.75, -1.75, -3.5, -0.5], [4.5, -0.5, 2.0, -4.75, -4.5], [4.0, 3.75, -4.75, 1.25, 3.75], [1.75, 1.0, -2.5, -0.25, -0.75]]]> : tensor<2x4x5xf32>
// expect: dense<[[[13.5625, -3.8125, 18.625, 14.1875, 6.5625], [-49.8125, -39.0, -49.6875, 35.5625, 29.5625], [-34.0, -15.875, -16.125, 44.375, -0.625]], [[-74.625, -25.5, 29.75, 37.5, 13.625], [8.25, -1.5, 9.125, -9.3125, -6.125], [40.9375, 16.8125, -25.4375, -17.875, -3.625]]]> : tensor<2x3x5xf32>
module {
  func.func @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
    "func.return"(%r0) : (tensor<2x3x5xf32>) -> ()
  }
}
