// clause: scatter: integers wrap
// Beyond 127 the sum goes on at -128.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[120, -120]> : tensor<2xi8>
// args: dense<[[0], [0], [1], [1]]> : tensor<4x1xi32>
// args: dense<[10, -5, -10, 3]> : tensor<4xi8>
// expect: dense<[125, -127]> : tensor<2xi8>
module {
  func.func @main(%arg0: tensor<2xi8>, %arg1: tensor<4x1xi32>, %arg2: tensor<4xi8>) -> tensor<2xi8> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%r0) : (tensor<i8>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<2xi8>, tensor<4x1xi32>, tensor<4xi8>) -> tensor<2xi8>
    "func.return"(%0) : (tensor<2xi8>) -> ()
  }
}
