// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-3, 5], [3, 4], [-3, 4], [3, 5]], [[4, 9], [4, 7], [8, -1], [0, -2]], [[9, 7], [7, -2], [2, 1], [0, -1]]]> : tensor<3x4x2xi8>
// args: dense<[[[-3, -5, 2, -2, 4], [5, -5, 0, 0, -6]], [[3, -4, -3, -1, 0], [4, -4, -2, 3, -4]], [[-1, -2, 1, -5, -1], [-6, -2, 4, 1, -2]], [[6, 2, 6, 0, -5], [5, 4, 3, 5, 1]]]> : tensor<4x2x5xi8>
// expect: dense<[[[-4, -2, -6, -2, -6], [-6, -7, -6, -7, -4], [-6, -8, -6, -6, -2]], [[-4, -6, -4, -4, -6], [-2, -9, -7, -6, -8], [-6, -6, -6, -7, -5]]]> : tensor<2x3x5xi8>
module {
  func.func @main(%arg0: tensor<3x4x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<4x2x5x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<4x2x5x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<2x3x5x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
