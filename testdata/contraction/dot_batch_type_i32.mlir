// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-5, -1], [5, 4], [6, 3], [4, -3]], [[-6, 4], [-5, -3], [4, 5], [-4, 3]], [[2, 6], [-6, -6], [-5, 4], [3, 1]]]> : tensor<3x4x2xi8>
// args: dense<[[[-4, 2, 5, -3, 0], [2, 3, -5, 4, -2]], [[3, -3, 6, -2, -5], [0, 4, 1, -2, -1]], [[-5, -1, 2, -2, -4], [4, -4, 5, -1, 0]], [[6, -5, -2, -5, 5], [6, 3, -2, -3, -6]]]> : tensor<4x2x5xi8>
// expect: dense<[[[29, -51, 9, -27, -29], [-35, 19, -44, 40, -11], [17, 12, -42, 1, 65]], [[-8, -8, 30, -6, 16], [46, -11, -4, 8, -23], [34, -19, -18, 29, -12]]]> : tensor<2x3x5xi32>
module {
  func.func @main(%arg0: tensor<3x4x2xi8>, %arg1: tensor<4x2x5xi8>) -> tensor<2x3x5xi32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x2xi8>, tensor<4x2x5xi8>) -> tensor<2x3x5xi32>
    "func.return"(%r0) : (tensor<2x3x5xi32>) -> ()
  }
}
