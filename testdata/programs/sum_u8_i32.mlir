// Row sums of an unsigned tensor. The i32 accumulator has the scale of the input, so widening loses
// nothing and every addition is exact; only the last step, back to u8 with an eight times coarser
// scale, rounds and may saturate.
!activation = !quant.uniform<u8:f32, 2.500000e-02:128>
!accumulator = !quant.uniform<i32:f32, 2.500000e-02>
!output = !quant.uniform<u8:f32, 0.20000000000000001:128>
func.func @main(%arg0: tensor<6x32x!activation>) -> tensor<6x!output> {
  %zero = "stablehlo.constant"() {value = dense<128> : tensor<i8>} : () -> tensor<!activation>
  %sum = "stablehlo.reduce"(%arg0, %zero) ({
  ^bb0(%lhs: tensor<!accumulator>, %rhs: tensor<!accumulator>):
    %add = stablehlo.add %lhs, %rhs : tensor<!accumulator>
    stablehlo.return %add : tensor<!accumulator>
  }) {dimensions = array<i64: 1>} : (tensor<6x32x!activation>, tensor<!activation>) -> tensor<6x!accumulator>
  %narrowed = stablehlo.uniform_quantize %sum : (tensor<6x!accumulator>) -> tensor<6x!output>
  return %narrowed : tensor<6x!output>
}
