// clause: gather: full_start_index, clamped, + full_batching_index + full_offset_index
// Start indices before, in and beyond the operand, in the order of start_index_map.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[5.25, -2.5, 2.5], [-5.75, 2.0, 3.25], [4.0, -4.25, -5.75], [5.75, 1.0, -4.75]]> : tensor<4x3xf32>
// args: dense<[[0, 3], [2, 0], [7, -1], [1, 1], [-3, 2]]> : tensor<5x2xi64>
// expect: dense<[5.75, 2.5, 2.5, 2.0, 4.0]> : tensor<5xf32>
module {
  func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<5x2xi64>) -> tensor<5xf32> {
    %r0 = "stablehlo.gather"(%arg0, %arg1) {indices_are_sorted = false, slice_sizes = array<i64: 1, 1>, dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1, 0], index_vector_dim = 1>} : (tensor<4x3xf32>, tensor<5x2xi64>) -> tensor<5xf32>
    "func.return"(%r0) : (tensor<5xf32>) -> ()
  }
}
