// clause: gather: full_start_index, clamped, + full_batching_index + full_offset_index
// Start indices before, in and beyond the operand, in the order of start_index_map.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.25, 3.5, -1.25, -3.5, 1.0], [-5.0, -1.5, -0.75, 2.75, 1.0], [-6.0, 5.0, -3.25, 2.25, 3.5], [3.0, -0.25, 5.75, 2.5, -3.75]]> : tensor<4x5xf32>
// args: dense<[[1, 3, 0], [2, 0, 9]]> : tensor<2x3xi32>
// expect: dense<[[[-0.75, 2.75, 1.0], [-6.0, 5.0, -3.25], [-1.25, -3.5, 1.0]], [[-3.25, 2.25, 3.5], [3.0, -0.25, 5.75], [-0.75, 2.75, 1.0]]]> : tensor<2x3x3xf32>
module {
  func.func @main(%arg0: tensor<4x5xf32>, %arg1: tensor<2x3xi32>) -> tensor<2x3x3xf32> {
    %r0 = "stablehlo.gather"(%arg0, %arg1) {indices_are_sorted = false, slice_sizes = array<i64: 2, 3>, dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 0>} : (tensor<4x5xf32>, tensor<2x3xi32>) -> tensor<2x3x3xf32>
    "func.return"(%r0) : (tensor<2x3x3xf32>) -> ()
  }
}
