// clause: scatter: the body combines the element, on the left, with the update
// NaN stays, and an infinity of each sign makes one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
// args: dense<[[0], [0], [1]]> : tensor<3x1xi32>
// args: dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
// expect: dense<[0xFFC00000, 0x7FC00000, 3.0]> : tensor<3xf32>
module {
  func.func @main(%arg0: tensor<3xf32>, %arg1: tensor<3x1xi32>, %arg2: tensor<3xf32>) -> tensor<3xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<3xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<3xf32>
    "func.return"(%0) : (tensor<3xf32>) -> ()
  }
}
