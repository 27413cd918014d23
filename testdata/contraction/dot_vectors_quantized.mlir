// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[3, -3, 8, 1, 3]> : tensor<5xi8>
// args: dense<[-5, -5, -2, 0, 3]> : tensor<5xi8>
// expect: dense<-4> : tensor<i8>
module {
  func.func @main(%arg0: tensor<5x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<5x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>} : (tensor<5x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<5x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
