// expect: violation reduce_s13 (strict)
// Sums are values of rank 0 in the body, which have one scale; the result cannot have two.
func.func @main(%x: tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, %i: tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32:{0:2}, {0.5, 0.25}>> {
  %0 = "stablehlo.reduce"(%x, %i) ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5>>, %b: tensor<!quant.uniform<i8:f32, 0.5>>):
    %1 = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5>>
    stablehlo.return %1 : tensor<!quant.uniform<i8:f32, 0.5>>
  }) {dimensions = array<i64: 0>} : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32:{0:2}, {0.5, 0.25}>>
  return %0 : tensor<4x!quant.uniform<i8:f32:{0:2}, {0.5, 0.25}>>
}
