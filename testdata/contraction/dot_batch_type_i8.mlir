// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[5, -3], [-2, 4], [-6, 5], [-6, -4]], [[2, 3], [-3, -1], [0, -5], [5, -4]], [[6, -1], [-2, 2], [4, 4], [3, 1]]]> : tensor<3x4x2xi8>
// args: dense<[[[1, 6, 1, -1, -3], [3, -1, 6, -6, -4]], [[5, 2, -6, -3, -5], [-4, -3, 1, -1, 4]], [[-5, -1, -2, 5, -5], [0, -3, -2, -2, -4]], [[3, -3, -6, 3, -2], [5, -6, -4, -3, 4]]]> : tensor<4x2x5xi8>
// expect: dense<[[[7, 50, 65, -47, 37], [2, -9, -10, 22, -1], [-15, 19, -8, 29, -34]], [[-45, 0, -8, 16, -8], [-7, 39, 43, 5, -12], [-6, -23, -16, -7, 0]]]> : tensor<2x3x5xi8>
module {
  func.func @main(%arg0: tensor<3x4x2xi8>, %arg1: tensor<4x2x5xi8>) -> tensor<2x3x5xi8> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x2xi8>, tensor<4x2x5xi8>) -> tensor<2x3x5xi8>
    "func.return"(%r0) : (tensor<2x3x5xi8>) -> ()
  }
}
