// clause: dot_general: batching, then lhs, then rhs dimensions; a fold over the contracting ones
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-1, 5, 5, 6, 3]> : tensor<5xi8>
// args: dense<[1, -6, -6, 6, 2]> : tensor<5xi8>
// expect: dense<-19> : tensor<i32>
module {
  func.func @main(%arg0: tensor<5xi8>, %arg1: tensor<5xi8>) -> tensor<i32> {
    %r0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>} : (tensor<5xi8>, tensor<5xi8>) -> tensor<i32>
    "func.return"(%r0) : (tensor<i32>) -> ()
  }
}
