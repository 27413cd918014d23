// expect: violation gather_s11 (strict)
// expect: violation gather_s11 (mlir)
// Rows have scales of their own: which one comes is not known.
func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{0.5}, {0.25}}>>, %arg1: tensor<3x1xi32>) -> tensor<3x4x!quant.uniform<i8:f32:{1:4}, {{0.5}}>> {
  %r = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>, indices_are_sorted = false} : (tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{0.5}, {0.25}}>>, tensor<3x1xi32>) -> tensor<3x4x!quant.uniform<i8:f32:{1:4}, {{0.5}}>>
  func.return %r : tensor<3x4x!quant.uniform<i8:f32:{1:4}, {{0.5}}>>
}
