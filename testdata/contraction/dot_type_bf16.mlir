// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-1.0, -5.5, 0.75, -5.25], [3.0, -5.75, -0.25, -4.25], [0.75, 5.5, 1.5, -4.0]]> : tensor<3x4xbf16>
// args: dense<[[0.75, -2.75], [-6.0, 6.0], [-0.75, 4.5], [-0.25, -4.0]]> : tensor<4x2xbf16>
// expect: dense<[[33.0, -5.875], [38.0, -26.875], [-32.5625, 53.6875]]> : tensor<3x2xf32>
module {
  func.func @main(%arg0: tensor<3x4xbf16>, %arg1: tensor<4x2xbf16>) -> tensor<3x2xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4xbf16>, tensor<4x2xbf16>) -> tensor<3x2xf32>
    "func.return"(%r0) : (tensor<3x2xf32>) -> ()
  }
}
