// expect: violation dynamic_update_slice_s11 (strict)
// expect: violation dynamic_update_slice_s11 (mlir)
// The update may start in the other block.
func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, %arg1: tensor<2x2x!quant.uniform<i8:f32:{1:2}, {{0.5}}>>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>> {
  %r = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, tensor<2x2x!quant.uniform<i8:f32:{1:2}, {{0.5}}>>, tensor<i32>, tensor<i32>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>
  func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>
}
