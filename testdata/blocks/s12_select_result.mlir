// expect: violation select_s12 (strict)
// expect: violation select_s12 (mlir)
// The result has another table than both.
func.func @main(%arg0: tensor<2x4xi1>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, %arg2: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.25, 0.5}}>> {
  %r = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<2x4xi1>, tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.25, 0.5}}>>
  func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.25, 0.5}}>>
}
