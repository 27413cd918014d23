// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-1.5, -4.0, 2.75], [4.5, 0.5, 1.0], [4.5, 0.75, -1.75], [4.75, -5.75, -3.75]]> : tensor<4x3xf32>
// args: dense<[[-2.75, -6.0, 0.0, 2.25], [-4.75, 3.75, -1.5, 1.0]]> : tensor<2x4xf32>
// expect: dense<[[-12.1875, 22.0], [-4.9375, 14.0], [-22.0, -10.4375]]> : tensor<3x2xf32>
module {
  func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<2x4xf32>) -> tensor<3x2xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>} : (tensor<4x3xf32>, tensor<2x4xf32>) -> tensor<3x2xf32>
    "func.return"(%r0) : (tensor<3x2xf32>) -> ()
  }
}
