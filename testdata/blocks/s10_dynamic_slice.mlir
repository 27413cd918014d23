// expect: violation dynamic_slice_s10 (strict)
// expect: violation dynamic_slice_s10 (mlir)
// A row keeps its table.
func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.25, 0.5}}>> {
  %r = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 1, 4>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, tensor<i32>, tensor<i32>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.25, 0.5}}>>
  func.return %r : tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.25, 0.5}}>>
}
