// clause: gather: full_start_index, clamped, + full_batching_index + full_offset_index
// Start indices before, in and beyond the operand, in the order of start_index_map.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-12, -120, -67], [-117, 100, -81], [117, -120, -27], [69, -110, 80]]> : tensor<4x3xi8>
// args: dense<[[0, 3], [2, 0], [7, -1], [1, 1], [-3, 2]]> : tensor<5x2xi64>
// expect: dense<[69, -67, -67, 100, 117]> : tensor<5xi8>
module {
  func.func @main(%arg0: tensor<4x3x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<5x2xi64>) -> tensor<5x!quant.uniform<i8:f32, 5.000000e-01:3>> {
    %r0 = "stablehlo.gather"(%arg0, %arg1) {indices_are_sorted = false, slice_sizes = array<i64: 1, 1>, dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 1], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1, 0], index_vector_dim = 1>} : (tensor<4x3x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<5x2xi64>) -> tensor<5x!quant.uniform<i8:f32, 5.000000e-01:3>>
    "func.return"(%r0) : (tensor<5x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> ()
  }
}
