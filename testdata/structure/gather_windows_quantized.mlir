// clause: gather: full_start_index, clamped, + full_batching_index + full_offset_index
// Start indices before, in and beyond the operand, in the order of start_index_map.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[106, 31, -45, 103, -93], [20, 44, 103, -122, -38], [60, -56, -97, 73, -47], [61, 54, 41, -1, -110]]> : tensor<4x5xi8>
// args: dense<[[1, 3, 0], [2, 0, 9]]> : tensor<2x3xi32>
// expect: dense<[[[103, -122, -38], [60, -56, -97], [-45, 103, -93]], [[-97, 73, -47], [61, 54, 41], [103, -122, -38]]]> : tensor<2x3x3xi8>
module {
  func.func @main(%arg0: tensor<4x5x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<2x3xi32>) -> tensor<2x3x3x!quant.uniform<i8:f32, 5.000000e-01:3>> {
    %r0 = "stablehlo.gather"(%arg0, %arg1) {indices_are_sorted = false, slice_sizes = array<i64: 2, 3>, dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 0>} : (tensor<4x5x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x3xi32>) -> tensor<2x3x3x!quant.uniform<i8:f32, 5.000000e-01:3>>
    "func.return"(%r0) : (tensor<2x3x3x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> ()
  }
}
