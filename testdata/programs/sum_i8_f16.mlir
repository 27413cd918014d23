// The expressed type is f16, with 11 significant bits. The accumulator is i32, whose bounds are no
// f16 numbers: clamping to them is clamping to infinity, and only the saturation at the end keeps
// the storage in range.
!activation = !quant.uniform<i8:f16, 5.000000e-02:-3>
!accumulator = !quant.uniform<i32:f16, 5.000000e-02>
!output = !quant.uniform<i8:f16, 4.000000e-01:-3>
func.func @main(%arg0: tensor<6x32x!activation>) -> tensor<6x!output> {
  %zero = "stablehlo.constant"() {value = dense<-3> : tensor<i8>} : () -> tensor<!activation>
  %sum = "stablehlo.reduce"(%arg0, %zero) ({
  ^bb0(%lhs: tensor<!accumulator>, %rhs: tensor<!accumulator>):
    %add = stablehlo.add %lhs, %rhs : tensor<!accumulator>
    stablehlo.return %add : tensor<!accumulator>
  }) {dimensions = array<i64: 1>} : (tensor<6x32x!activation>, tensor<!activation>) -> tensor<6x!accumulator>
  %narrowed = stablehlo.uniform_quantize %sum : (tensor<6x!accumulator>) -> tensor<6x!output>
  return %narrowed : tensor<6x!output>
}
