// clause: gather: full_start_index, clamped, + full_batching_index + full_offset_index
// Start indices before, in and beyond the operand, in the order of start_index_map.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[73, 72], [-13, 97], [120, 94], [-71, 72]], [[72, -45], [-40, 120], [118, 74], [-128, 12]], [[-23, -123], [20, 18], [-26, 105], [-99, 36]]]> : tensor<3x4x2xi8>
// args: dense<[[[0], [3]], [[2], [1]], [[-1], [5]]]> : tensor<3x2x1xi32>
// expect: dense<[[[73, 72], [-71, 72]], [[118, 74], [-40, 120]], [[-23, -123], [-99, 36]]]> : tensor<3x2x2xi8>
module {
  func.func @main(%arg0: tensor<3x4x2xi8>, %arg1: tensor<3x2x1xi32>) -> tensor<3x2x2xi8> {
    %r0 = "stablehlo.gather"(%arg0, %arg1) {indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 2>, dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<3x4x2xi8>, tensor<3x2x1xi32>) -> tensor<3x2x2xi8>
    "func.return"(%r0) : (tensor<3x2x2xi8>) -> ()
  }
}
