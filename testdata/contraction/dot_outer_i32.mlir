// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[5, 1, -1]> : tensor<3xi8>
// args: dense<[2, 6]> : tensor<2xi8>
// expect: dense<[[10, 30], [2, 6], [-2, -6]]> : tensor<3x2xi32>
module {
  func.func @main(%arg0: tensor<3xi8>, %arg1: tensor<2xi8>) -> tensor<3x2xi32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [], rhs_contracting_dimensions = []>} : (tensor<3xi8>, tensor<2xi8>) -> tensor<3x2xi32>
    "func.return"(%r0) : (tensor<3x2xi32>) -> ()
  }
}
