// (C16) size(operand_batching_dims) == size(start_indices_batching_dims)
// expect: violation gather_c16 (strict)
// expect: violation gather_c16 (mlir)
module {
  func.func @main(%arg0: tensor<4x3x5xf32>, %arg1: tensor<4x2x1xi32>) -> tensor<4x2x5xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 5>} : (tensor<4x3x5xf32>, tensor<4x2x1xi32>) -> tensor<4x2x5xf32>
    "func.return"(%0) : (tensor<4x2x5xf32>) -> ()
  }
}
