// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1, 1, 0, 0], [-4, -4, 7, 7], [7, 1, 2, 2]]> : tensor<3x4xi4>
// args: dense<[[0, 6], [4, 4], [-6, -1], [-2, -5]]> : tensor<4x2xi4>
// expect: dense<[[4, 10], [-72, -82], [-12, 34]]> : tensor<3x2xi8>
module {
  func.func @main(%arg0: tensor<3x4xi4>, %arg1: tensor<4x2xi4>) -> tensor<3x2xi8> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4xi4>, tensor<4x2xi4>) -> tensor<3x2xi8>
    "func.return"(%r0) : (tensor<3x2xi8>) -> ()
  }
}
