// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[0], [3], [4], [-3]], [[5], [5], [5], [9]], [[9], [-3], [-3], [8]], [[5], [5], [-3], [-2]]]]> : tensor<1x4x4x1xi8>
// args: dense<[[[[-1, -6]], [[-6, 1]], [[0, 0]]], [[[6, 0]], [[4, 5]], [[-1, 5]]]]> : tensor<2x3x1x2xi8>
// expect: dense<[[[[-7, -5], [-5, -7]], [[-2, -6], [-2, -1]], [[-5, -9], [-7, -6]]]]> : tensor<1x3x2x2xi8>
module {
  func.func @main(%arg0: tensor<1x4x4x1x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<2x3x1x2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x3x2x2x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: true, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<1x4x4x1x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x3x1x2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x3x2x2x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<1x3x2x2x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
