// clause: gather: full_start_index, clamped, + full_batching_index + full_offset_index
// Start indices before, in and beyond the operand, in the order of start_index_map.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-67, 104, -75, 111, -58], [124, 54, -70, 41, -63], [126, -31, -30, -4, 9], [74, -84, 15, -9, -73]]> : tensor<4x5xi8>
// args: dense<[[4], [1], [2]]> : tensor<3x1xi32>
// expect: dense<[[[111, -58], [41, -63]], [[104, -75], [54, -70]], [[-75, 111], [-70, 41]]]> : tensor<3x2x2xi8>
module {
  func.func @main(%arg0: tensor<4x5x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<3x1xi32>) -> tensor<3x2x2x!quant.uniform<i8:f32, 5.000000e-01:3>> {
    %r0 = "stablehlo.gather"(%arg0, %arg1) {indices_are_sorted = false, slice_sizes = array<i64: 2, 2>, dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>} : (tensor<4x5x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<3x1xi32>) -> tensor<3x2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
    "func.return"(%r0) : (tensor<3x2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> ()
  }
}
