// Row sums of a 16-bit tensor, as audio and sensor models have them, in an i32 accumulator of the
// same scale (2^-13).
!activation = !quant.uniform<i16:f32, 1.220703125E-4>
!accumulator = !quant.uniform<i32:f32, 1.220703125E-4>
!output = !quant.uniform<i16:f32, 9.765625E-4>
func.func @main(%arg0: tensor<6x32x!activation>) -> tensor<6x!output> {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i16>} : () -> tensor<!activation>
  %sum = "stablehlo.reduce"(%arg0, %zero) ({
  ^bb0(%lhs: tensor<!accumulator>, %rhs: tensor<!accumulator>):
    %add = stablehlo.add %lhs, %rhs : tensor<!accumulator>
    stablehlo.return %add : tensor<!accumulator>
  }) {dimensions = array<i64: 1>} : (tensor<6x32x!activation>, tensor<!activation>) -> tensor<6x!accumulator>
  %narrowed = stablehlo.uniform_quantize %sum : (tensor<6x!accumulator>) -> tensor<6x!output>
  return %narrowed : tensor<6x!output>
}
