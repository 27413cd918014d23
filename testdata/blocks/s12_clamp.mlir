// expect: violation clamp_s12 (strict)
// expect: violation clamp_s12 (mlir)
// The bounds have another table.
func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, %arg2: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>> {
  %r = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<2x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>
  func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>
}
