// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[6, 3, 3, 5], [4, 5, 3, -2], [-1, 0, -3, 6]], [[7, -2, 3, 5], [1, 3, 9, -1], [3, 9, 3, 3]]]> : tensor<2x3x4xi8>
// args: dense<[[[5, 0, 3, 3, 3], [-1, 2, -4, 5, 4], [0, -2, 2, -1, -4], [-2, -1, -5, -4, 5]], [[6, 0, 1, 1, -2], [6, -2, 4, 2, 5], [-4, 4, -3, -4, 3], [-5, -2, 5, -6, 0]]]> : tensor<2x4x5xi8>
// expect: dense<[[[-4, -5, -5, -5, -4], [-4, -4, -4, -3, -6], [-6, -5, -7, -7, -4]], [[-6, -5, -5, -6, -7], [-6, -3, -8, -5, -4], [-3, -6, -4, -4, -3]]]> : tensor<2x3x5xi8>
module {
  func.func @main(%arg0: tensor<2x3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<2x4x5x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x4x5x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<2x3x5x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
