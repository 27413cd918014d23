// clause: scatter: the body combines the element, on the left, with the update
// Elements without an update are not compared with anything.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[-5, 4, -128, 7]> : tensor<4xi8>
// args: dense<[[0], [1], [0], [2]]> : tensor<4x1xi32>
// args: dense<[-7, 5, -6, -127]> : tensor<4xi8>
// expect: dense<[-5, 5, -127, 7]> : tensor<4xi8>
module {
  func.func @main(%arg0: tensor<4xi8>, %arg1: tensor<4x1xi32>, %arg2: tensor<4xi8>) -> tensor<4xi8> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      %r0 = "stablehlo.maximum"(%a0, %b0) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%r0) : (tensor<i8>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<4xi8>, tensor<4x1xi32>, tensor<4xi8>) -> tensor<4xi8>
    "func.return"(%0) : (tensor<4xi8>) -> ()
  }
}
