// expect: violation transpose_s10 (strict)
// expect: violation transpose_s10 (mlir)
// Blocks along columns cannot stay along columns.
func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>> {
  %r = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<4x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>
  func.return %r : tensor<4x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>
}
