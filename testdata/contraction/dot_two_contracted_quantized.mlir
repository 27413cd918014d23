// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[8, 9, 6, 3], [8, -1, 5, 8]], [[7, 8, 7, -2], [6, -3, 0, 2]], [[6, 7, 0, 6], [8, 9, -1, -2]]]> : tensor<3x2x4xi8>
// args: dense<[[[1, 4, 2, 3, 3], [3, 4, 6, -5, 2]], [[3, 4, 6, -5, 1], [2, 4, 0, 4, -5]], [[-3, 1, -5, 0, 3], [-3, 2, -6, 0, -2]], [[1, -5, 6, 0, -4], [2, -5, 0, -3, 2]]]> : tensor<4x2x5xi8>
// expect: dense<[[-3, -3, -2, -9, -1], [-5, -2, -4, -8, 1], [-2, -1, 2, -5, -7]]> : tensor<3x5xi8>
module {
  func.func @main(%arg0: tensor<3x2x4x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<4x2x5x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<3x5x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [1, 0]>} : (tensor<3x2x4x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<4x2x5x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<3x5x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<3x5x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
