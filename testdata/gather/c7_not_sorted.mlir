// (C7) is_sorted(collapsed_slice_dims)
// expect: violation gather_c7 (strict)
// expect: violation gather_c7 (mlir)
module {
  func.func @main(%arg0: tensor<3x4x5xf32>, %arg1: tensor<2x1xi32>) -> tensor<2x5xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1, 0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 5>} : (tensor<3x4x5xf32>, tensor<2x1xi32>) -> tensor<2x5xf32>
    "func.return"(%0) : (tensor<2x5xf32>) -> ()
  }
}
