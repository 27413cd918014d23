// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[3, -2], [4, 3], [0, -3], [4, 4]], [[0, 9], [-2, 4], [4, 9], [3, -3]], [[4, 3], [0, 3], [8, -3], [1, -2]]]> : tensor<3x4x2xi8>
// args: dense<[[[-2, -2, 0, 2, 1], [0, -5, -4, 4, 1]], [[0, -4, -5, -4, 5], [2, -2, -2, -4, 5]], [[-3, 1, 0, 0, 4], [6, -5, -5, 2, 4]], [[1, -5, 6, -1, -3], [0, -2, -4, 0, 0]]]> : tensor<4x2x5xi8>
// expect: dense<[[[10, -12, 1, -5, -10], [3, 27, 25, 14, -24], [-19, 25, 3, 16, 12]], [[-36, 53, 46, -32, -29], [38, -50, -32, 32, 35], [-36, 40, 50, -12, -24]]]> : tensor<2x3x5xi32>
module {
  func.func @main(%arg0: tensor<3x4x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<4x2x5x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x5x!quant.uniform<i32:f32, 1.250000e-01>> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<4x2x5x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x5x!quant.uniform<i32:f32, 1.250000e-01>>
    "func.return"(%r0) : (tensor<2x3x5x!quant.uniform<i32:f32, 1.250000e-01>>) -> ()
  }
}
