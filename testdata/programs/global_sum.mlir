// The sum of a whole tensor, as a loss or a checksum needs it: one result, all dimensions reduced,
// 960 leaves.
!activation = !quant.uniform<i8:f32, 1.250000e-01:4>
!accumulator = !quant.uniform<i32:f32, 1.250000e-01>
func.func @main(%arg0: tensor<2x8x12x5x!activation>) -> tensor<!accumulator> {
  %zero = "stablehlo.constant"() {value = dense<4> : tensor<i8>} : () -> tensor<!activation>
  %sum = "stablehlo.reduce"(%arg0, %zero) ({
  ^bb0(%lhs: tensor<!accumulator>, %rhs: tensor<!accumulator>):
    %add = stablehlo.add %lhs, %rhs : tensor<!accumulator>
    stablehlo.return %add : tensor<!accumulator>
  }) {dimensions = array<i64: 0, 1, 2, 3>}
    : (tensor<2x8x12x5x!activation>, tensor<!activation>) -> tensor<!accumulator>
  return %sum : tensor<!accumulator>
}
