// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[77, 43, 9, 96], [6, 71, 62, 67], [75, 87, 78, 65]]> : tensor<3x4xui8>
// args: dense<[[6, 86], [64, 61], [94, 56], [49, 103]]> : tensor<4x2xui8>
// expect: dense<[[8764, 19637], [13691, 15220], [16535, 22820]]> : tensor<3x2xui32>
module {
  func.func @main(%arg0: tensor<3x4xui8>, %arg1: tensor<4x2xui8>) -> tensor<3x2xui32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4xui8>, tensor<4x2xui8>) -> tensor<3x2xui32>
    "func.return"(%r0) : (tensor<3x2xui32>) -> ()
  }
}
