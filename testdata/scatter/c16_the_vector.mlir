// (C16) index_vector_dim not in scatter_indices_batching_dims
// expect: violation scatter_c16 (strict)
// expect: violation scatter_c16 (mlir)
module {
  func.func @main(%arg0: tensor<1x3x5xf32>, %arg1: tensor<4x2x1xi32>, %arg2: tensor<4x2x5xf32>) -> tensor<1x3x5xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false} : (tensor<1x3x5xf32>, tensor<4x2x1xi32>, tensor<4x2x5xf32>) -> tensor<1x3x5xf32>
    "func.return"(%0) : (tensor<1x3x5xf32>) -> ()
  }
}
