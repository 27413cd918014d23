// clause: scatter: each batch is updated by its own indices
// The batching dimension of inputs is the second of scatter_indices; index vectors come first.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[3, -9, 3, -5], [6, 8, -1, 9], [5, -3, 7, -2]], [[-8, 2, 7, 3], [-2, 8, 0, -2], [-7, -5, 4, 6]]]> : tensor<2x3x4xi32>
// args: dense<[[[0, 2], [1, 0], [0, 0]], [[1, 1], [2, 3], [0, 3]]]> : tensor<2x3x2xi32>
// args: dense<[[-4, 2], [7, -7], [-4, 0]]> : tensor<3x2xi32>
// expect: dense<[[[-1, -13, 3, -5], [6, 8, 6, 9], [5, -3, 7, -2]], [[-8, 2, 7, -4], [-2, 8, 0, -2], [-7, -3, 4, 6]]]> : tensor<2x3x4xi32>
module {
  func.func @main(%arg0: tensor<2x3x4xi32>, %arg1: tensor<2x3x2xi32>, %arg2: tensor<3x2xi32>) -> tensor<2x3x4xi32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%r0) : (tensor<i32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 0>, unique_indices = false} : (tensor<2x3x4xi32>, tensor<2x3x2xi32>, tensor<3x2xi32>) -> tensor<2x3x4xi32>
    "func.return"(%0) : (tensor<2x3x4xi32>) -> ()
  }
}
