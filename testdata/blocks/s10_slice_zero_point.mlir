// expect: violation slice_s10 (strict)
// expect: violation slice_s10 (mlir)
// Scales are equal, and zero points are not.
func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x2x!quant.uniform<i8:f32:{1:2}, {{0.25:1}}>> {
  %r = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 2>, limit_indices = array<i64: 2, 4>, strides = array<i64: 1, 1>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x2x!quant.uniform<i8:f32:{1:2}, {{0.25:1}}>>
  func.return %r : tensor<2x2x!quant.uniform<i8:f32:{1:2}, {{0.25:1}}>>
}
