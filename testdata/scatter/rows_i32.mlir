// clause: scatter: updates that land on the same element all count
// Rows 0 and 3 get several updates, row 1 none.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[6, -8, -6], [-5, -6, 6], [7, 2, -9], [-8, -3, -1]]> : tensor<4x3xi32>
// args: dense<[[0], [3], [0], [2], [3], [0]]> : tensor<6x1xi32>
// args: dense<[[2, 0, -4], [-6, 4, 4], [-9, -7, -1], [-2, 7, 0], [-2, -1, 3], [2, -6, 5]]> : tensor<6x3xi32>
// expect: dense<[[1, -21, -6], [-5, -6, 6], [5, 9, -9], [-16, 0, 6]]> : tensor<4x3xi32>
module {
  func.func @main(%arg0: tensor<4x3xi32>, %arg1: tensor<6x1xi32>, %arg2: tensor<6x3xi32>) -> tensor<4x3xi32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<4x3xi32>, tensor<6x1xi32>, tensor<6x3xi32>) -> tensor<4x3xi32>
    "func.return"(%0) : (tensor<4x3xi32>) -> ()
  }
}
