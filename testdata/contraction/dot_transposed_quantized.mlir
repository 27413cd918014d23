// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[6, 0, 6], [-1, -1, 6], [6, 1, 6], [-3, -2, 8]]> : tensor<4x3xi8>
// args: dense<[[5, -3, 4, -6], [3, -1, 4, 1]]> : tensor<2x4xi8>
// expect: dense<[[0, -4], [-4, -6], [-6, -4]]> : tensor<3x2xi8>
module {
  func.func @main(%arg0: tensor<4x3x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<2x4x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<3x2x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>} : (tensor<4x3x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x4x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<3x2x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<3x2x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
