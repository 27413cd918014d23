// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-5.75, -2.75, -5.5, -5.0, 5.75]> : tensor<5xf32>
// args: dense<[5.75, -1.75, 5.0, 1.75, 0.5]> : tensor<5xf32>
// expect: dense<-61.625> : tensor<f32>
module {
  func.func @main(%arg0: tensor<5xf32>, %arg1: tensor<5xf32>) -> tensor<f32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>} : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
    "func.return"(%r0) : (tensor<f32>) -> ()
  }
}
