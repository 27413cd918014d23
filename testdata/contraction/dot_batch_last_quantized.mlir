// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[9, 7], [8, 1], [0, 6], [5, 3]], [[9, 3], [9, 4], [6, 2], [7, -1]], [[1, 2], [-1, 0], [9, -2], [4, 6]]]> : tensor<3x4x2xi8>
// args: dense<[[[0, -2, 1, 6, 6], [3, 5, -1, 2, 5]], [[-2, 3, -4, -5, -5], [1, 0, 0, 6, 3]], [[-3, 2, -4, -3, 1], [5, 3, -3, 3, 5]], [[1, -2, 6, 1, -1], [6, 1, -5, -5, 5]]]> : tensor<4x2x5xi8>
// expect: dense<[[[-5, -5, -4, -4, -5], [-6, -5, -5, -5, -5], [-6, -5, -5, -6, -4]], [[-3, -3, -6, -5, -3], [-7, -5, -4, -4, -6], [-6, -6, -5, -8, -6]]]> : tensor<2x3x5xi8>
module {
  func.func @main(%arg0: tensor<3x4x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<4x2x5x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<4x2x5x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<2x3x5x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
