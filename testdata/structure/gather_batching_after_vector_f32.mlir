// clause: gather: full_start_index, clamped, + full_batching_index + full_offset_index
// Start indices before, in and beyond the operand, in the order of start_index_map.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-1.75, 0.25], [3.0, 3.75], [4.75, 1.0], [0.0, -3.5]], [[4.0, 3.75], [1.25, 0.0], [-0.75, -1.5], [5.25, 2.25]], [[4.25, 0.75], [5.0, -1.5], [5.75, 3.0], [-3.0, 0.0]]]> : tensor<3x4x2xf32>
// args: dense<[[[0, 3, 2], [1, 200, 5]]]> : tensor<1x2x3xui8>
// expect: dense<[[[-1.75, 0.25], [5.25, 2.25], [5.75, 3.0]], [[3.0, 3.75], [5.25, 2.25], [-3.0, 0.0]]]> : tensor<2x3x2xf32>
module {
  func.func @main(%arg0: tensor<3x4x2xf32>, %arg1: tensor<1x2x3xui8>) -> tensor<2x3x2xf32> {
    %r0 = "stablehlo.gather"(%arg0, %arg1) {indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 2>, dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 0>} : (tensor<3x4x2xf32>, tensor<1x2x3xui8>) -> tensor<2x3x2xf32>
    "func.return"(%r0) : (tensor<2x3x2xf32>) -> ()
  }
}
