// clause: scatter: an input of rank 0 has one element
// Each update lands on it, and index vectors are empty.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<5> : tensor<i32>
// args: dense<[[], [], []]> : tensor<3x0xi32>
// args: dense<[1, 2, 3]> : tensor<3xi32>
// expect: dense<11> : tensor<i32>
module {
  func.func @main(%arg0: tensor<i32>, %arg1: tensor<3x0xi32>, %arg2: tensor<3xi32>) -> tensor<i32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [], index_vector_dim = 1>, unique_indices = false} : (tensor<i32>, tensor<3x0xi32>, tensor<3xi32>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }
}
