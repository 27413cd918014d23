// clause: gather: full_start_index, clamped, + full_batching_index + full_offset_index
// Start indices before, in and beyond the operand, in the order of start_index_map.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-4.5, 0.5, 4.25], [-1.25, -3.0, 4.5], [-3.5, 1.5, 3.0], [0.0, -5.25, 3.0]]> : tensor<4x3xf32>
// args: dense<[3, 0, -2, 9, 1]> : tensor<5xi32>
// expect: dense<[[0.0, -5.25, 3.0], [-4.5, 0.5, 4.25], [-4.5, 0.5, 4.25], [0.0, -5.25, 3.0], [-1.25, -3.0, 4.5]]> : tensor<5x3xf32>
module {
  func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<5xi32>) -> tensor<5x3xf32> {
    %r0 = "stablehlo.gather"(%arg0, %arg1) {indices_are_sorted = false, slice_sizes = array<i64: 1, 3>, dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5xi32>) -> tensor<5x3xf32>
    "func.return"(%r0) : (tensor<5x3xf32>) -> ()
  }
}
