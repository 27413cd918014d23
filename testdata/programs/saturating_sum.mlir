// An accumulator that is too narrow: the body adds in i8, where the input's zero point makes every
// value non-negative, so the sums run into the upper bound, 127, and stay there. An i32 accumulator
// would hold them.
!activation = !quant.uniform<i8:f32, 2.500000e-01:-128>
func.func @main(%arg0: tensor<4x16x!activation>) -> tensor<4x!activation> {
  %zero = "stablehlo.constant"() {value = dense<-128> : tensor<i8>} : () -> tensor<!activation>
  %sum = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<4x16x!activation>, tensor<!activation>) -> tensor<4x!activation>
  return %sum : tensor<4x!activation>
}
