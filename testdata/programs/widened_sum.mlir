// saturating_sum.mlir put right: the same rows, with an accumulator of 32 bits and the input's scale.
!activation = !quant.uniform<i8:f32, 2.500000e-01:-128>
!accumulator = !quant.uniform<i32:f32, 2.500000e-01>
func.func @main(%arg0: tensor<4x16x!activation>) -> tensor<4x!accumulator> {
  %zero = "stablehlo.constant"() {value = dense<-128> : tensor<i8>} : () -> tensor<!activation>
  %sum = "stablehlo.reduce"(%arg0, %zero) ({
  ^bb0(%lhs: tensor<!accumulator>, %rhs: tensor<!accumulator>):
    %add = stablehlo.add %lhs, %rhs : tensor<!accumulator>
    stablehlo.return %add : tensor<!accumulator>
  }) {dimensions = array<i64: 1>} : (tensor<4x16x!activation>, tensor<!activation>) -> tensor<4x!accumulator>
  return %sum : tensor<4x!accumulator>
}
