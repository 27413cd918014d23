// clause: gather: full_start_index, clamped, + full_batching_index + full_offset_index
// Start indices before, in and beyond the operand, in the order of start_index_map.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[96, -107, 109, 9, 13], [48, -32, -18, 16, 43], [9, 96, -106, -107, -79], [83, 49, -20, -50, 54]]> : tensor<4x5xi8>
// args: dense<[18446744073709551615, 1, 0]> : tensor<3xui64>
// expect: dense<[[[9, 96, -106, -107, -79], [48, -32, -18, 16, 43], [96, -107, 109, 9, 13]], [[83, 49, -20, -50, 54], [9, 96, -106, -107, -79], [48, -32, -18, 16, 43]]]> : tensor<2x3x5xi8>
module {
  func.func @main(%arg0: tensor<4x5xi8>, %arg1: tensor<3xui64>) -> tensor<2x3x5xi8> {
    %r0 = "stablehlo.gather"(%arg0, %arg1) {indices_are_sorted = false, slice_sizes = array<i64: 2, 5>, dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>} : (tensor<4x5xi8>, tensor<3xui64>) -> tensor<2x3x5xi8>
    "func.return"(%r0) : (tensor<2x3x5xi8>) -> ()
  }
}
