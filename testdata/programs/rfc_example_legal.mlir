// The RFC's worked example in the form that became the specification: a reduction gives its body's
// type, and the narrowing to the output's type is an operation of its own.
!input = !quant.uniform<ui8:f32, 0.1:30>
!accumulator = !quant.uniform<i32:f32, 0.05:0>
!output = !quant.uniform<ui8:f32, 0.2:128>
func.func @main(%input: tensor<5x1x!input>, %init_value: tensor<!input>) -> tensor<5x!output> {
  %sum = "stablehlo.reduce"(%input, %init_value) ({
  ^bb0(%lhs: tensor<!accumulator>, %rhs: tensor<!accumulator>):
    %add = stablehlo.add %lhs, %rhs : tensor<!accumulator>
    stablehlo.return %add : tensor<!accumulator>
  }) {dimensions = array<i64: 1>} : (tensor<5x1x!input>, tensor<!input>) -> tensor<5x!accumulator>
  %result = stablehlo.uniform_quantize %sum : (tensor<5x!accumulator>) -> tensor<5x!output>
  return %result : tensor<5x!output>
}
