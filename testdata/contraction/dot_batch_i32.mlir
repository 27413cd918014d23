// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[0, -1, -1, 3], [-3, 3, -1, 3], [-2, 2, -4, 5]], [[1, -2, -2, 5], [-6, 6, -2, -1], [-4, 0, -4, 2]]]> : tensor<2x3x4xi8>
// args: dense<[[[-5, -2, -3, 1, 2], [-4, 4, 5, 1, 0], [0, 3, 4, 3, 6], [-6, 5, -3, 5, -2]], [[5, 1, -6, -3, -3], [-3, -2, 2, 2, -2], [-4, -4, -2, 4, 1], [-2, -4, 2, 0, -3]]]> : tensor<2x4x5xi8>
// expect: dense<[[[-14, 8, -18, 11, -12], [-15, 30, 11, 12, -18], [-28, 25, -15, 13, -38]], [[9, -7, 4, -15, -16], [-38, -6, 50, 22, 7], [-8, 4, 36, -4, 2]]]> : tensor<2x3x5xi32>
module {
  func.func @main(%arg0: tensor<2x3x4xi8>, %arg1: tensor<2x4x5xi8>) -> tensor<2x3x5xi32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xi8>, tensor<2x4x5xi8>) -> tensor<2x3x5xi32>
    "func.return"(%r0) : (tensor<2x3x5xi32>) -> ()
  }
}
