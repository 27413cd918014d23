// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-2, 3, 6], [-6, 3, -3], [6, 2, -2], [4, -3, -5]], [[1, 0, -6], [-3, 2, -4], [-6, -3, 5], [-6, 2, 6]]]> : tensor<2x4x3xi8>
// args: dense<[[[2, 5], [0, -6]], [[0, 3], [6, -1]], [[5, -5], [1, -2]], [[0, 0], [4, -1]]]> : tensor<4x2x2xi8>
// expect: dense<[[-22, -43], [33, 16], [7, 55]]> : tensor<3x2xi32>
module {
  func.func @main(%arg0: tensor<2x4x3xi8>, %arg1: tensor<4x2x2xi8>) -> tensor<3x2xi32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1, 0], rhs_contracting_dimensions = [0, 1]>} : (tensor<2x4x3xi8>, tensor<4x2x2xi8>) -> tensor<3x2xi32>
    "func.return"(%r0) : (tensor<3x2xi32>) -> ()
  }
}
