// expect: violation dynamic_slice_s11 (strict)
// expect: violation dynamic_slice_s11 (mlir)
// Zero points alone change along the dimension.
func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:1, 0.5:2}}>>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<2x2x!quant.uniform<i8:f32:{1:2}, {{0.5:1}}>> {
  %r = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 2, 2>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:1, 0.5:2}}>>, tensor<i32>, tensor<i32>) -> tensor<2x2x!quant.uniform<i8:f32:{1:2}, {{0.5:1}}>>
  func.return %r : tensor<2x2x!quant.uniform<i8:f32:{1:2}, {{0.5:1}}>>
}
