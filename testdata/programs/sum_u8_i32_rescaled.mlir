// The same sums with an accumulator of another scale: each element is rounded when it is widened
// (2.5 accumulator steps to an input step, so every other one is a tie), before the first addition.
// The storage is spelled ui8 here, a type of its own for MLIR and the same for the numbers.
!activation = !quant.uniform<ui8:f32, 2.500000e-02:128>
!accumulator = !quant.uniform<i32:f32, 1.000000e-02:7>
!output = !quant.uniform<ui8:f32, 0.20000000000000001:128>
func.func @main(%arg0: tensor<6x32x!activation>) -> tensor<6x!output> {
  %zero = "stablehlo.constant"() {value = dense<128> : tensor<ui8>} : () -> tensor<!activation>
  %sum = "stablehlo.reduce"(%arg0, %zero) ({
  ^bb0(%lhs: tensor<!accumulator>, %rhs: tensor<!accumulator>):
    %add = stablehlo.add %lhs, %rhs : tensor<!accumulator>
    stablehlo.return %add : tensor<!accumulator>
  }) {dimensions = array<i64: 1>} : (tensor<6x32x!activation>, tensor<!activation>) -> tensor<6x!accumulator>
  %narrowed = stablehlo.uniform_quantize %sum : (tensor<6x!accumulator>) -> tensor<6x!output>
  return %narrowed : tensor<6x!output>
}
