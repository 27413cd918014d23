// clause: gather: full_start_index, clamped, + full_batching_index + full_offset_index
// Start indices before, in and beyond the operand, in the order of start_index_map.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-4.25, 1.25, -4.5, 1.25, 2.75], [6.0, -4.0, 1.75, -0.5, -4.25], [5.0, -0.75, 6.0, 2.0, -4.0], [1.75, -3.0, -3.0, 3.5, -2.25]]> : tensor<4x5xf32>
// args: dense<[[4], [1], [2]]> : tensor<3x1xi32>
// expect: dense<[[[1.25, 2.75], [-0.5, -4.25]], [[1.25, -4.5], [-4.0, 1.75]], [[-4.5, 1.25], [1.75, -0.5]]]> : tensor<3x2x2xf32>
module {
  func.func @main(%arg0: tensor<4x5xf32>, %arg1: tensor<3x1xi32>) -> tensor<3x2x2xf32> {
    %r0 = "stablehlo.gather"(%arg0, %arg1) {indices_are_sorted = false, slice_sizes = array<i64: 2, 2>, dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>} : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x2x2xf32>
    "func.return"(%r0) : (tensor<3x2x2xf32>) -> ()
  }
}
