// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[5, 8, 4, -3], [8, 8, 6, 5], [3, 0, 4, 1]], [[-1, 6, 3, 3], [-1, 1, 8, 2], [8, 8, 9, 0]]]> : tensor<2x3x4xi8>
// args: dense<[[[5, -5], [-2, 4], [-1, 0], [2, 0]], [[1, 5], [2, -1], [5, 2], [-6, -6]], [[-6, 5], [-4, 4], [0, 6], [4, 1]]]> : tensor<3x4x2xi8>
// expect: dense<[[-6, -4, -5], [-3, -5, 0]]> : tensor<2x3xi8>
module {
  func.func @main(%arg0: tensor<2x3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<3x4x2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [2, 0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<3x4x2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<2x3x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
