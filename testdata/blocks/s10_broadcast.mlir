// expect: violation broadcast_in_dim_s10 (strict)
// expect: violation broadcast_in_dim_s10 (mlir)
// Rows have other parameters than the vector.
func.func @main(%arg0: tensor<4x!quant.uniform<i8:f32:{0:2}, {0.5, 0.25}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.25, 0.5}}>> {
  %r = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1>} : (tensor<4x!quant.uniform<i8:f32:{0:2}, {0.5, 0.25}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.25, 0.5}}>>
  func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.25, 0.5}}>>
}
