// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-5, 5], [-6, -2], [-6, 1], [0, -2]], [[0, 1], [2, -1], [1, 4], [-3, 3]], [[-1, -4], [3, -6], [0, 1], [4, -6]]]> : tensor<3x4x2xi8>
// args: dense<[[[2, -5, -1, 4, 4], [-4, 0, 6, -4, 3]], [[-4, 4, 3, 3, -1], [-4, -4, 3, -6, 3]], [[2, 1, 6, -3, 3], [2, -4, -1, 1, -1]], [[-6, 2, 4, -1, 2], [-4, 6, -6, -1, -1]]]> : tensor<4x2x5xi8>
// expect: dense<[[[2.0, -5.0, -49.0, -2.0e+01, -32.0], [12.0, 3.0, 0.0, 6.0, -5.0], [-38.0, 25.0, 26.0, 1.0, 1.0]], [[-2.0, -8.0, 35.0, -5.0, 1.0e+01], [-4.0, 6.0, -19.0, 3.0, -7.0], [66.0, -16.0, -7.0, 59.0, -25.0]]]> : tensor<2x3x5xf32>
module {
  func.func @main(%arg0: tensor<3x4x2xi8>, %arg1: tensor<4x2x5xi8>) -> tensor<2x3x5xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x2xi8>, tensor<4x2x5xi8>) -> tensor<2x3x5xf32>
    "func.return"(%r0) : (tensor<2x3x5xf32>) -> ()
  }
}
