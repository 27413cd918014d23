// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-6.0, 5.75], [-5.75, -1.25], [-5.25, 3.75], [-1.5, -0.75]], [[0.0, -3.75], [2.5, 2.0], [-1.25, -0.75], [1.0, 3.5]], [[-4.75, -5.5], [4.75, 2.25], [-1.5, -3.25], [-1.0, -4.0]]]> : tensor<3x4x2xf32>
// args: dense<[[[1, 5, 4, -5, 2], [6, -5, 2, -5, -2]], [[0, 2, -1, -5, 4], [1, 4, 5, -4, -3]], [[5, 6, 4, -1, 2], [0, -4, 6, -6, -3]], [[1, -1, 6, 2, 2], [5, -4, 0, -2, 0]]]> : tensor<4x2x5xi8>
// expect: dense<[[[-8.4375, -17.875, -12.0625, 15.25, -12.125], [-1.3125, -0.875, -0.375, -2.3125, 2.375], [-3.3125, -5.5625, -8.9375, -0.125, 1.125]], [[7.375, -11.4375, 6.9375, -11.1875, -4.75], [-0.75, 3.9375, -0.5, 2.0625, 0.9375], [-12.6875, 16.375, -4.8125, 11.5, 3.5]]]> : tensor<2x3x5xf32>
module {
  func.func @main(%arg0: tensor<3x4x2xf32>, %arg1: tensor<4x2x5x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x5xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x2xf32>, tensor<4x2x5x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x5xf32>
    "func.return"(%r0) : (tensor<2x3x5xf32>) -> ()
  }
}
