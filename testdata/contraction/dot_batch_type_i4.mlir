// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-4, 1], [-2, -6], [-1, -5], [4, 5]], [[3, 3], [3, -6], [2, 0], [2, 3]], [[-3, 5], [-4, 6], [5, 0], [-4, 5]]]> : tensor<3x4x2xi4>
// args: dense<[[[0, 6, -5, -5, 5], [-3, 6, -2, 0, -3]], [[-6, 3, 5, -1, 6], [4, -1, -6, 0, -1]], [[-1, 0, 1, -1, 2], [4, 4, 6, -2, 3]], [[5, -2, -4, -4, -2], [0, 0, -1, 4, 5]]]> : tensor<4x2x5xi4>
// expect: dense<[[[33, -38, -7, 7, -42], [-10, 23, -6, -28, 33], [-1, -22, 16, 30, -21]], [[-47, -8, -1, 30, 13], [-33, 24, 27, 12, 12], [9, 24, -51, 20, 4]]]> : tensor<2x3x5xi8>
module {
  func.func @main(%arg0: tensor<3x4x2xi4>, %arg1: tensor<4x2x5xi4>) -> tensor<2x3x5xi8> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x2xi4>, tensor<4x2x5xi4>) -> tensor<2x3x5xi8>
    "func.return"(%r0) : (tensor<2x3x5xi8>) -> ()
  }
}
