// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.25, 4.0, 5.5, -2.5], [3.25, 5.75, 1.5, 2.25], [-1.25, 3.75, -0.25, -4.75]]> : tensor<3x4xf32>
// args: dense<[[6, 2], [-4, -5], [1, 3], [-4, 4]]> : tensor<4x2xi8>
// expect: dense<[[1.75, -2.75], [-2.75, -2.1875], [-0.9375, -10.25]]> : tensor<3x2xf32>
module {
  func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<4x2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<3x2xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4xf32>, tensor<4x2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<3x2xf32>
    "func.return"(%r0) : (tensor<3x2xf32>) -> ()
  }
}
