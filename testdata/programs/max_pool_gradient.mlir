// The gradient of max pooling, 3x3 with stride 2: each source element is added where its window has
// the maximum. Windows overlap, so a position may be chosen several times; the sums are kept in i32
// and narrowed once.
!gradient = !quant.uniform<i8:f32, 1.000000e-02>
!accumulator = !quant.uniform<i32:f32, 1.000000e-02>
func.func @main(%arg0: tensor<1x7x7x2x!gradient>, %arg1: tensor<1x3x3x2x!gradient>)
    -> tensor<1x7x7x2x!gradient> {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i8>} : () -> tensor<!gradient>
  %sum = "stablehlo.select_and_scatter"(%arg0, %arg1, %zero) ({
  ^bb0(%lhs: tensor<!gradient>, %rhs: tensor<!gradient>):
    %select = stablehlo.compare GE, %lhs, %rhs : (tensor<!gradient>, tensor<!gradient>) -> tensor<i1>
    stablehlo.return %select : tensor<i1>
  }, {
  ^bb0(%lhs: tensor<!accumulator>, %rhs: tensor<!accumulator>):
    %add = stablehlo.add %lhs, %rhs : tensor<!accumulator>
    stablehlo.return %add : tensor<!accumulator>
  }) {
    window_dimensions = array<i64: 1, 3, 3, 1>,
    window_strides = array<i64: 1, 2, 2, 1>,
    padding = dense<0> : tensor<4x2xi64>
  } : (tensor<1x7x7x2x!gradient>, tensor<1x3x3x2x!gradient>, tensor<!gradient>)
    -> tensor<1x7x7x2x!accumulator>
  %narrowed = stablehlo.uniform_quantize %sum : (tensor<1x7x7x2x!accumulator>) -> tensor<1x7x7x2x!gradient>
  return %narrowed : tensor<1x7x7x2x!gradient>
}
