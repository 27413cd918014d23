// clause: gather: full_start_index, clamped, + full_batching_index + full_offset_index
// Start indices before, in and beyond the operand, in the order of start_index_map.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[13, 78], [97, 71], [-48, 105], [65, 43]], [[19, 89], [16, -31], [71, -106], [63, 53]], [[94, -124], [67, 0], [-74, -36], [-25, -33]]]> : tensor<3x4x2xi8>
// args: dense<[[[0, 3, 2], [1, 200, 5]]]> : tensor<1x2x3xui8>
// expect: dense<[[[13, 78], [63, 53], [-74, -36]], [[97, 71], [63, 53], [-25, -33]]]> : tensor<2x3x2xi8>
module {
  func.func @main(%arg0: tensor<3x4x2xi8>, %arg1: tensor<1x2x3xui8>) -> tensor<2x3x2xi8> {
    %r0 = "stablehlo.gather"(%arg0, %arg1) {indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 2>, dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 0>} : (tensor<3x4x2xi8>, tensor<1x2x3xui8>) -> tensor<2x3x2xi8>
    "func.return"(%r0) : (tensor<2x3x2xi8>) -> ()
  }
}
