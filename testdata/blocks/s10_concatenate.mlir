// expect: violation concatenate_s10 (strict)
// expect: violation concatenate_s10 (mlir)
// The second operand's scale is another one.
func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 2.0>>) -> tensor<2x6x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25, 0.25}}>> {
  %r = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 1 : i64} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, tensor<2x2x!quant.uniform<i8:f32, 2.0>>) -> tensor<2x6x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25, 0.25}}>>
  func.return %r : tensor<2x6x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25, 0.25}}>>
}
