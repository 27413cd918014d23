// expect: violation iota_s14 (strict)
// Numbers from 0 on are numbers of one scale.
func.func @main() -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>> {
  %0 = stablehlo.iota dim = 1 : tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>
  return %0 : tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>
}
