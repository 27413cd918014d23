// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[6, 2], [0, 2], [3, 4], [6, 5]], [[3, 4], [5, 5], [0, 2], [2, 3]], [[2, 6], [4, 1], [3, 2], [1, 1]]]> : tensor<3x4x2xui8>
// args: dense<[[[5, 1, 2, 1, 0], [5, 0, 6, 3, 2]], [[5, 5, 0, 3, 4], [6, 6, 6, 6, 1]], [[4, 5, 1, 0, 1], [2, 4, 4, 1, 0]], [[3, 6, 2, 6, 6], [2, 6, 5, 6, 1]]]> : tensor<4x2x5xui8>
// expect: dense<[[[60, 57, 27, 42, 39], [46, 40, 10, 30, 32], [45, 43, 9, 20, 25]], [[40, 58, 65, 52, 11], [60, 56, 77, 62, 16], [42, 20, 55, 32, 14]]]> : tensor<2x3x5xui32>
module {
  func.func @main(%arg0: tensor<3x4x2xui8>, %arg1: tensor<4x2x5xui8>) -> tensor<2x3x5xui32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x2xui8>, tensor<4x2x5xui8>) -> tensor<2x3x5xui32>
    "func.return"(%r0) : (tensor<2x3x5xui32>) -> ()
  }
}
