// Average pooling, 8x8 with stride 4, of a feature map in NHWC with large bright and dark patches.
// The sums of windows are kept in i16 at an eighth of the input's scale, so that the mean has three
// bits more than the input. With 64 elements that is too much: within a bright patch a sum does not
// fit, and at the edge of one it fits if the order is right.
!activation = !quant.uniform<i8:f32, 5.000000e-02>
!accumulator = !quant.uniform<i16:f32, 6.250000e-03>
func.func @main(%arg0: tensor<1x20x20x3x!activation>) -> tensor<1x4x4x3x!activation> {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i8>} : () -> tensor<!activation>
  %sum = "stablehlo.reduce_window"(%arg0, %zero) ({
  ^bb0(%lhs: tensor<!accumulator>, %rhs: tensor<!accumulator>):
    %add = stablehlo.add %lhs, %rhs : tensor<!accumulator>
    stablehlo.return %add : tensor<!accumulator>
  }) {
    window_dimensions = array<i64: 1, 8, 8, 1>,
    window_strides = array<i64: 1, 4, 4, 1>
  } : (tensor<1x20x20x3x!activation>, tensor<!activation>) -> tensor<1x4x4x3x!accumulator>
  %expressed = stablehlo.uniform_dequantize %sum : (tensor<1x4x4x3x!accumulator>) -> tensor<1x4x4x3xf32>
  %positions = stablehlo.constant dense<64.0> : tensor<1x4x4x3xf32>
  %mean = stablehlo.divide %expressed, %positions : tensor<1x4x4x3xf32>
  %pooled = stablehlo.uniform_quantize %mean : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3x!activation>
  return %pooled : tensor<1x4x4x3x!activation>
}
