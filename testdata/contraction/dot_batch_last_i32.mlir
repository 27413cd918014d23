// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[0, 6], [-5, -3], [0, -6], [2, 1]], [[-4, -2], [-3, 3], [-6, 0], [1, -2]], [[-4, 2], [0, 4], [4, -6], [-4, 1]]]> : tensor<3x4x2xi8>
// args: dense<[[[1, -4, 3, 3, 2], [-1, -5, -4, 5, 3]], [[0, 5, -4, -6, -1], [-5, 6, 3, -1, 4]], [[4, 6, 1, 3, 3], [-2, -1, 4, 1, 3]], [[6, -3, -6, -1, 3], [2, 5, 0, -3, 3]]]> : tensor<4x2x5xi8>
// expect: dense<[[[12, -31, 8, 28, 11], [-22, -38, -12, -13, -20], [-12, 52, 16, 4, -8]], [[23, -37, -57, 24, -9], [-17, 18, 17, -7, 0], [-8, 25, -20, -3, 7]]]> : tensor<2x3x5xi32>
module {
  func.func @main(%arg0: tensor<3x4x2xi8>, %arg1: tensor<4x2x5xi8>) -> tensor<2x3x5xi32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x2xi8>, tensor<4x2x5xi8>) -> tensor<2x3x5xi32>
    "func.return"(%r0) : (tensor<2x3x5xi32>) -> ()
  }
}
