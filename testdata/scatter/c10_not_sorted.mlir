// (C10) is_sorted(inserted_window_dims)
// expect: violation scatter_c10 (strict)
// expect: violation scatter_c10 (mlir)
module {
  func.func @main(%arg0: tensor<3x4x5xf32>, %arg1: tensor<2x1xi32>, %arg2: tensor<2x5xf32>) -> tensor<3x4x5xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
      %r0 = "stablehlo.add"(%a0, %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1, 0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false} : (tensor<3x4x5xf32>, tensor<2x1xi32>, tensor<2x5xf32>) -> tensor<3x4x5xf32>
    "func.return"(%0) : (tensor<3x4x5xf32>) -> ()
  }
}
