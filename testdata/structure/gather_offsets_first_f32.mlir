// clause: gather: full_start_index, clamped, + full_batching_index + full_offset_index
// Start indices before, in and beyond the operand, in the order of start_index_map.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.0, 2.75, -5.5, 5.75, 1.25], [-1.75, 4.25, -1.75, 3.5, 3.25], [-0.5, -3.0, 4.5, -2.75, -1.5], [-0.75, -1.75, 1.0, -5.5, 5.5]]> : tensor<4x5xf32>
// args: dense<[18446744073709551615, 1, 0]> : tensor<3xui64>
// expect: dense<[[[-0.5, -3.0, 4.5, -2.75, -1.5], [-1.75, 4.25, -1.75, 3.5, 3.25], [1.0, 2.75, -5.5, 5.75, 1.25]], [[-0.75, -1.75, 1.0, -5.5, 5.5], [-0.5, -3.0, 4.5, -2.75, -1.5], [-1.75, 4.25, -1.75, 3.5, 3.25]]]> : tensor<2x3x5xf32>
module {
  func.func @main(%arg0: tensor<4x5xf32>, %arg1: tensor<3xui64>) -> tensor<2x3x5xf32> {
    %r0 = "stablehlo.gather"(%arg0, %arg1) {indices_are_sorted = false, slice_sizes = array<i64: 2, 5>, dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>} : (tensor<4x5xf32>, tensor<3xui64>) -> tensor<2x3x5xf32>
    "func.return"(%r0) : (tensor<2x3x5xf32>) -> ()
  }
}
