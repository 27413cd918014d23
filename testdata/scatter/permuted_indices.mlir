// clause: scatter: scatter_dims_to_operand_dims says where an index vector's elements go
// Its first element is the column.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[1, -2, -2, -7], [2, 8, -6, 6], [-6, -9, 5, -6]]> : tensor<3x4xi32>
// args: dense<[[3, 0], [1, 2], [3, 0], [2, 3]]> : tensor<4x2xi32>
// args: dense<[5, -3, 1, 8]> : tensor<4xi32>
// expect: dense<[[1, -2, -2, -1], [2, 8, -6, 6], [-6, -12, 5, -6]]> : tensor<3x4xi32>
module {
  func.func @main(%arg0: tensor<3x4xi32>, %arg1: tensor<4x2xi32>, %arg2: tensor<4xi32>) -> tensor<3x4xi32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>, unique_indices = false} : (tensor<3x4xi32>, tensor<4x2xi32>, tensor<4xi32>) -> tensor<3x4xi32>
    "func.return"(%0) : (tensor<3x4xi32>) -> ()
  }
}
