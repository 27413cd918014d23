// clause: gather: full_start_index, clamped, + full_batching_index + full_offset_index
// Start indices before, in and beyond the operand, in the order of start_index_map.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-80, 81, 26], [-25, -48, 119], [68, -103, -9], [-116, 74, -47]]> : tensor<4x3xi8>
// args: dense<[3, 0, -2, 9, 1]> : tensor<5xi32>
// expect: dense<[[-116, 74, -47], [-80, 81, 26], [-80, 81, 26], [-116, 74, -47], [-25, -48, 119]]> : tensor<5x3xi8>
module {
  func.func @main(%arg0: tensor<4x3xi8>, %arg1: tensor<5xi32>) -> tensor<5x3xi8> {
    %r0 = "stablehlo.gather"(%arg0, %arg1) {indices_are_sorted = false, slice_sizes = array<i64: 1, 3>, dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>} : (tensor<4x3xi8>, tensor<5xi32>) -> tensor<5x3xi8>
    "func.return"(%r0) : (tensor<5x3xi8>) -> ()
  }
}
