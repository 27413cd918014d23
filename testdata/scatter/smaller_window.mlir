// clause: scatter: a window may be smaller than the inputs where nothing is scattered
// Columns 2 and 3 of the rows keep their values.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[8, 0, -6, -5], [7, 2, -6, 7], [9, 9, 2, 9]]> : tensor<3x4xi32>
// args: dense<[[2], [0], [2]]> : tensor<3x1xi32>
// args: dense<[[2, 0], [9, 2], [5, -3]]> : tensor<3x2xi32>
// expect: dense<[[17, 2, -6, -5], [7, 2, -6, 7], [16, 6, 2, 9]]> : tensor<3x4xi32>
module {
  func.func @main(%arg0: tensor<3x4xi32>, %arg1: tensor<3x1xi32>, %arg2: tensor<3x2xi32>) -> tensor<3x4xi32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<3x4xi32>, tensor<3x1xi32>, tensor<3x2xi32>) -> tensor<3x4xi32>
    "func.return"(%0) : (tensor<3x4xi32>) -> ()
  }
}
