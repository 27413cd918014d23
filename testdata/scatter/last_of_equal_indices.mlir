// clause: scatter: updates in ascending order of their index
// The body returns the update: the last one that lands stays.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[0, -2, -5, -8]> : tensor<4xi8>
// args: dense<[[2], [0], [2], [0], [2]]> : tensor<5x1xi32>
// args: dense<[11, 12, 13, 14, 15]> : tensor<5xi8>
// expect: dense<[14, -2, 15, -8]> : tensor<4xi8>
module {
  func.func @main(%arg0: tensor<4xi8>, %arg1: tensor<5x1xi32>, %arg2: tensor<5xi8>) -> tensor<4xi8> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      "stablehlo.return"(%b0) : (tensor<i8>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<4xi8>, tensor<5x1xi32>, tensor<5xi8>) -> tensor<4xi8>
    "func.return"(%0) : (tensor<4xi8>) -> ()
  }
}
