// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-2.0, -6.0, -5.5, 1.75], [-1.5, 0.75, -6.0, 4.5]], [[-2.25, 5.0, -5.25, 3.75], [-3.25, -5.25, 2.25, -2.75]], [[-1.25, 3.75, -2.0, 5.25], [-3.75, 1.75, 2.0, -2.0]]]> : tensor<3x2x4xf32>
// args: dense<[[[-0.5, -2.75, 1.75, 4.5, -0.25], [-4.0, -6.0, 1.5, 5.25, -0.5]], [[1.5, 2.25, -4.5, 2.5, 5.25], [2.0, 1.75, 5.5, 0.0, 5.0]], [[1.0, 3.0, 4.75, -5.75, -0.75], [2.25, 0.75, 4.5, 1.75, 2.25]], [[-5.0, 4.5, -1.75, 0.5, 0.25], [0.75, 4.75, 2.0, -1.75, 4.5]]]> : tensor<4x2x5xf32>
// expect: dense<[[-24.875, 10.5625, -21.8125, -17.75, -15.1875], [-9.875, 17.5, -87.0625, 26.125, -0.25], [-0.5, 47.0625, -28.75, 5.1875, 28.9375]]> : tensor<3x5xf32>
module {
  func.func @main(%arg0: tensor<3x2x4xf32>, %arg1: tensor<4x2x5xf32>) -> tensor<3x5xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [1, 0]>} : (tensor<3x2x4xf32>, tensor<4x2x5xf32>) -> tensor<3x5xf32>
    "func.return"(%r0) : (tensor<3x5xf32>) -> ()
  }
}
