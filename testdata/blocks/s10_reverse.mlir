// expect: violation reverse_s10 (strict)
// expect: violation reverse_s10 (mlir)
// Blocks come in reverse order.
func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>> {
  %r = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 1>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>
  func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>
}
