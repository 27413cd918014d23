// expect: violation map_s14 (strict)
// expect: violation map_s14 (mlir)
// A body of rank 0 would have to have a block's parameters.
func.func @main(%x: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>> {
  %r = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 1.0>>):
    stablehlo.return %a : tensor<!quant.uniform<i8:f32, 1.0>>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>
  func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>
}
