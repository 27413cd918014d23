// Average pooling, 3x3 with stride 2, of a feature map in NHWC: sums of windows in i32, then the
// mean over all nine positions, padding included. Padding is made of the init value, here the zero
// point, which stands for 0.
!activation = !quant.uniform<u8:f32, 2.000000e-02:10>
!accumulator = !quant.uniform<i32:f32, 2.000000e-02>
func.func @main(%arg0: tensor<1x8x8x3x!activation>) -> tensor<1x4x4x3x!activation> {
  %zero = "stablehlo.constant"() {value = dense<10> : tensor<i8>} : () -> tensor<!activation>
  %sum = "stablehlo.reduce_window"(%arg0, %zero) ({
  ^bb0(%lhs: tensor<!accumulator>, %rhs: tensor<!accumulator>):
    %add = stablehlo.add %lhs, %rhs : tensor<!accumulator>
    stablehlo.return %add : tensor<!accumulator>
  }) {
    window_dimensions = array<i64: 1, 3, 3, 1>,
    window_strides = array<i64: 1, 2, 2, 1>,
    padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>
  } : (tensor<1x8x8x3x!activation>, tensor<!activation>) -> tensor<1x4x4x3x!accumulator>
  %expressed = stablehlo.uniform_dequantize %sum : (tensor<1x4x4x3x!accumulator>) -> tensor<1x4x4x3xf32>
  %positions = stablehlo.constant dense<9.0> : tensor<1x4x4x3xf32>
  %mean = stablehlo.divide %expressed, %positions : tensor<1x4x4x3xf32>
  %pooled = stablehlo.uniform_quantize %mean : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3x!activation>
  return %pooled : tensor<1x4x4x3x!activation>
}
