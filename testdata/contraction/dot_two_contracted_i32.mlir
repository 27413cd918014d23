// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[5, 5, 5, -4], [1, -2, 1, -1]], [[-1, 2, 1, -1], [1, 4, 2, 6]], [[-1, -3, 5, 2], [6, 0, -3, -4]]]> : tensor<3x2x4xi8>
// args: dense<[[[2, -5, -4, -1, 3], [-4, 5, 3, 4, -3]], [[-4, -5, 2, 2, -5], [5, 3, -4, 2, -5]], [[-1, 6, -6, 0, 2], [2, 5, -3, 6, 4]], [[4, 6, 3, 4, -5], [6, 5, 4, -4, -1]]]> : tensor<4x2x5xi8>
// expect: dense<[[-49, -45, -48, -1, 32], [41, 52, 4, 1, -27], [-41, 57, -15, 25, -14]]> : tensor<3x5xi32>
module {
  func.func @main(%arg0: tensor<3x2x4xi8>, %arg1: tensor<4x2x5xi8>) -> tensor<3x5xi32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [1, 0]>} : (tensor<3x2x4xi8>, tensor<4x2x5xi8>) -> tensor<3x5xi32>
    "func.return"(%r0) : (tensor<3x5xi32>) -> ()
  }
}
