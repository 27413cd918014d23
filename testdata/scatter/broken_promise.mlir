// clause: scatter: unique_indices is a promise
// It is not kept: the updates are folded all the same.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[1, -2, -9]> : tensor<3xi32>
// args: dense<[[0], [0], [1]]> : tensor<3x1xi32>
// args: dense<[1, 2, 3]> : tensor<3xi32>
// expect: dense<[4, 1, -9]> : tensor<3xi32>
module {
  func.func @main(%arg0: tensor<3xi32>, %arg1: tensor<3x1xi32>, %arg2: tensor<3xi32>) -> tensor<3xi32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true} : (tensor<3xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<3xi32>
    "func.return"(%0) : (tensor<3xi32>) -> ()
  }
}
