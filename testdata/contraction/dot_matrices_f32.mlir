// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[2.0, 5.5, -2.5, 5.5], [1.0, -4.5, 3.75, -4.75], [4.0, -4.25, 5.25, -1.75]]> : tensor<3x4xf32>
// args: dense<[[-2.0, -1.5], [-5.25, 3.0], [-2.0, 3.25], [-5.5, 5.0]]> : tensor<4x2xf32>
// expect: dense<[[-58.125, 32.875], [40.25, -26.5625], [13.4375, -10.4375]]> : tensor<3x2xf32>
module {
  func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<4x2xf32>) -> tensor<3x2xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
    "func.return"(%r0) : (tensor<3x2xf32>) -> ()
  }
}
