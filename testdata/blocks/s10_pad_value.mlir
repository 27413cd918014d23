// expect: violation pad_s10 (strict)
// expect: violation pad_s10 (mlir)
// Padding has the parameters of the padding value.
func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, %arg1: tensor<!quant.uniform<i8:f32, 2.0>>) -> tensor<2x6x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25, 0.25}}>> {
  %r = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0, 2>, interior_padding = array<i64: 0, 0>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, tensor<!quant.uniform<i8:f32, 2.0>>) -> tensor<2x6x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25, 0.25}}>>
  func.return %r : tensor<2x6x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25, 0.25}}>>
}
