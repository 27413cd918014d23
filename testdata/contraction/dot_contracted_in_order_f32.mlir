// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[3.5, -2.0, -1.25], [-4.75, 1.5, 4.75], [1.25, 4.0, -2.0], [5.0, -0.5, 0.25]], [[3.5, 5.75, -6.0], [4.5, 2.75, 0.0], [-4.75, -2.25, -2.25], [-6.0, -3.5, 5.0]]]> : tensor<2x4x3xf32>
// args: dense<[[[2.0, 4.25], [-3.25, 4.75]], [[-0.5, -2.0], [5.5, -1.5]], [[3.75, 3.0], [5.0, -2.25]], [[4.75, -1.0], [-1.25, 4.25]]]> : tensor<4x2x2xf32>
// expect: dense<[[34.9375, 18.1875], [-2.5625, 14.375], [-9.1875, -23.25]]> : tensor<3x2xf32>
module {
  func.func @main(%arg0: tensor<2x4x3xf32>, %arg1: tensor<4x2x2xf32>) -> tensor<3x2xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1, 0], rhs_contracting_dimensions = [0, 1]>} : (tensor<2x4x3xf32>, tensor<4x2x2xf32>) -> tensor<3x2xf32>
    "func.return"(%r0) : (tensor<3x2xf32>) -> ()
  }
}
