// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[8, 2, 8, -2], [8, 6, 2, 1], [8, 2, 9, -1]]> : tensor<3x4xi8>
// args: dense<[[-3, -6], [-6, -3], [-5, 5], [0, 4]]> : tensor<4x2xi8>
// expect: dense<[[-68, -22], [-56, -52], [-78, -13]]> : tensor<3x2xi32>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<4x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<3x2x!quant.uniform<i32:f32, 1.250000e-01>> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<4x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<3x2x!quant.uniform<i32:f32, 1.250000e-01>>
    "func.return"(%r0) : (tensor<3x2x!quant.uniform<i32:f32, 1.250000e-01>>) -> ()
  }
}
