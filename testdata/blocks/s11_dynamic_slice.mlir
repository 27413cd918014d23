// expect: violation dynamic_slice_s11 (strict)
// The slice takes 2 of 4 elements: where it starts decides which scale they have.
func.func @main(%x: tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, %i: tensor<i32>) -> tensor<1x2x!quant.uniform<i8:f32, 0.5>> {
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 2] : (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, tensor<i32>, tensor<i32>) -> tensor<1x2x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<1x2x!quant.uniform<i8:f32, 0.5>>
}
