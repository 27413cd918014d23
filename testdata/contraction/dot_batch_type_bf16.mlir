// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[4.25, 5.5], [0.0, 5.75], [-1.75, -5.5], [1.25, -4.75]], [[-1.0, 0.25], [-1.5, 2.75], [-3.0, -2.0], [-4.0, 2.5]], [[-2.5, -3.5], [-4.75, 4.25], [1.5, 6.0], [-6.0, 2.75]]]> : tensor<3x4x2xbf16>
// args: dense<[[[-4.75, 4.75, 2.5, -4.0, -5.0], [3.75, 3.75, -2.25, -2.0, -0.5]], [[-2.0, 2.75, -5.25, 4.5, 1.0], [2.5, 5.25, 3.25, 2.75, -3.25]], [[-5.75, -5.0, 1.75, 2.5, 6.0], [-3.25, 2.5, 0.25, 0.75, 4.5]], [[-5.5, 2.75, -3.75, -2.25, -6.0], [0.5, -0.75, 4.75, 2.5, 4.25]]]> : tensor<4x2x5xbf16>
// expect: dense<[[[-17.0, 32.375, 2.875, -24.1875, -39.25], [47.0, -4.875, 15.125, -1.25, 9.5], [45.75, -48.9375, 43.8125, 5.875, 52.75]], [[50.5, 40.625, -17.625, -11.1875, -66.375], [15.5625, 8.5, 19.75, 11.8125, -7.4375], [-20.625, 22.125, 36.25, 30.0625, 26.625]]]> : tensor<2x3x5xf32>
module {
  func.func @main(%arg0: tensor<3x4x2xbf16>, %arg1: tensor<4x2x5xbf16>) -> tensor<2x3x5xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x2xbf16>, tensor<4x2x5xbf16>) -> tensor<2x3x5xf32>
    "func.return"(%r0) : (tensor<2x3x5xf32>) -> ()
  }
}
