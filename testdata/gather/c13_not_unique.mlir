// (C13) is_unique(start_indices_batching_dims)
// expect: violation gather_c13 (strict)
// expect: violation gather_c13 (mlir)
module {
  func.func @main(%arg0: tensor<4x4x5xf32>, %arg1: tensor<4x4x1xi32>) -> tensor<4x4xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 0], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>} : (tensor<4x4x5xf32>, tensor<4x4x1xi32>) -> tensor<4x4xf32>
    "func.return"(%0) : (tensor<4x4xf32>) -> ()
  }
}
