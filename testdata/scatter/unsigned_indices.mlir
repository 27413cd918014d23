// clause: scatter: an index out of bounds changes nothing
// The largest index is not -1, and adding a window to it wraps.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[5, -4, 4, 3]> : tensor<4xi32>
// args: dense<[[18446744073709551615], [18446744073709551614], [3], [0]]> : tensor<4x1xui64>
// args: dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
// expect: dense<[12, 4, 4, 8]> : tensor<4xi32>
module {
  func.func @main(%arg0: tensor<4xi32>, %arg1: tensor<4x1xui64>, %arg2: tensor<4x2xi32>) -> tensor<4xi32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<4xi32>, tensor<4x1xui64>, tensor<4x2xi32>) -> tensor<4xi32>
    "func.return"(%0) : (tensor<4xi32>) -> ()
  }
}
