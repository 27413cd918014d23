// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-4.0, -1.25], [5.0, -1.5], [2.5, -5.25], [-1.5, 6.0]], [[6.0, -2.0], [3.25, 1.25], [4.25, 4.5], [4.0, 1.0]], [[-3.25, 0.75], [4.5, -1.5], [5.5, 2.0], [-3.75, -3.0]]]> : tensor<3x4x2xf32>
// args: dense<[[[4.5, 2.0, -5.75, -3.0, -0.5], [2.25, 2.75, 5.25, 2.25, -0.75]], [[1.0, 6.0, -4.0, 1.5, -5.25], [-3.25, -2.0, 5.25, 5.5, -1.75]], [[-5.25, -0.75, -0.5, -2.0, -2.5], [-4.25, -5.0, -2.5, -1.25, -2.5]], [[3.5, -4.5, 3.25, -1.75, 5.5], [5.25, 5.0, -3.5, 5.75, 4.75]]]> : tensor<4x2x5xf32>
// expect: dense<[[[-31.375, 26.875, -3.125, 17.125, -38.75], [21.9375, 10.3125, -36.625, -28.625, -8.6875], [-52.125, 33.25, -14.25, 12.0625, -56.375]], [[55.875, 55.8125, -22.3125, 3.0e+01, 45.1875], [-22.4375, -25.5, -18.6875, 2.5, -7.1875], [-17.6875, -19.9375, 1.5625, -26.3125, -17.1875]]]> : tensor<2x3x5xf32>
module {
  func.func @main(%arg0: tensor<3x4x2xf32>, %arg1: tensor<4x2x5xf32>) -> tensor<2x3x5xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x2xf32>, tensor<4x2x5xf32>) -> tensor<2x3x5xf32>
    "func.return"(%r0) : (tensor<2x3x5xf32>) -> ()
  }
}
