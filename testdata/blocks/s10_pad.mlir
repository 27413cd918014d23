// expect: violation pad_s10 (strict)
// A pad of 1 moves the blocks of 2: result [0, 2] comes from [0, 1], and has the scale of the next block.
func.func @main(%x: tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, %p: tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<1x6x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25, 0.25}}>> {
  %0 = stablehlo.pad %x, %p, low = [0, 1], high = [0, 1], interior = [0, 0] : (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<1x6x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25, 0.25}}>>
  return %0 : tensor<1x6x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25, 0.25}}>>
}
