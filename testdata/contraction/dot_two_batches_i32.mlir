// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[0, 5, 5, 5], [4, -2, 3, -1], [3, 4, -6, 6]], [[1, 4, -1, -2], [-1, 4, -4, 2], [-2, -3, 4, 6]]]> : tensor<2x3x4xi8>
// args: dense<[[[5, 0], [2, 2], [-3, 4], [-1, 4]], [[-1, -5], [0, 4], [-3, 6], [-4, 0]], [[-5, 2], [-5, -3], [0, 4], [2, 2]]]> : tensor<3x4x2xi8>
// expect: dense<[[-10, -9, -23], [-4, -3, 33]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x3x4xi8>, %arg1: tensor<3x4x2xi8>) -> tensor<2x3xi32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [2, 0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xi8>, tensor<3x4x2xi8>) -> tensor<2x3xi32>
    "func.return"(%r0) : (tensor<2x3xi32>) -> ()
  }
}
