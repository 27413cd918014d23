// expect: violation select_s12 (strict)
// on_false has another scale at [0, 2] than the result.
func.func @main(%p: tensor<1x4xi1>, %x: tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, %y: tensor<1x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>> {
  %0 = stablehlo.select %p, %x, %y : (tensor<1x4xi1>, tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, tensor<1x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>
  return %0 : tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>
}
