// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<> : tensor<3x0xf32>
// args: dense<> : tensor<0x2xf32>
// expect: dense<[[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]> : tensor<3x2xf32>
module {
  func.func @main(%arg0: tensor<3x0xf32>, %arg1: tensor<0x2xf32>) -> tensor<3x2xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x0xf32>, tensor<0x2xf32>) -> tensor<3x2xf32>
    "func.return"(%r0) : (tensor<3x2xf32>) -> ()
  }
}
