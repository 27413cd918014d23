// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<> : tensor<0x3xi8>
// args: dense<[[2, -6], [-6, -3], [2, -6]]> : tensor<3x2xi8>
// expect: dense<> : tensor<0x2xi32>
module {
  func.func @main(%arg0: tensor<0x3xi8>, %arg1: tensor<3x2xi8>) -> tensor<0x2xi32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<0x3xi8>, tensor<3x2xi8>) -> tensor<0x2xi32>
    "func.return"(%r0) : (tensor<0x2xi32>) -> ()
  }
}
