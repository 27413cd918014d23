// clause: dynamic_gather: functionally identical to gather, with slice_sizes as an operand
// Start indices beyond the operand are clamped by slice_sizes, so that each slice lies inside.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xi8>
// args: dense<[[0, 0], [2, 3], [-5, 1], [9, 9]]> : tensor<4x2xi32>
// args: dense<[1, 2]> : tensor<2xi32>
// expect: dense<[[1, 2], [11, 12], [2, 3], [11, 12]]> : tensor<4x2xi8>
module {
  func.func @main(%x: tensor<3x4xi8>, %i: tensor<4x2xi32>, %s: tensor<2xi32>) -> tensor<4x2xi8> {
    %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false} : (tensor<3x4xi8>, tensor<4x2xi32>, tensor<2xi32>) -> tensor<4x2xi8>
    func.return %0 : tensor<4x2xi8>
  }
}
