// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-4.5, 3.0, -1.5, 2.75], [-2.5, 5.25, -5.5, 2.5], [-4.75, -0.5, 2.25, 3.5]]> : tensor<3x4xf32>
// args: dense<[[5, 6], [1, -3], [4, -4], [6, -4]]> : tensor<4x2xi8>
// expect: dense<[[-4.5, -10.25], [-7.125, -4.6875], [2.875, -12.5]]> : tensor<3x2xf32>
module {
  func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<4x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<3x2xf32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4xf32>, tensor<4x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<3x2xf32>
    "func.return"(%r0) : (tensor<3x2xf32>) -> ()
  }
}
