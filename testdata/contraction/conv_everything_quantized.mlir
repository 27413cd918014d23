// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[-3, -1], [5, 1], [7, 0], [4, 2]], [[-1, 4], [4, 4], [0, 2], [7, -3]], [[7, 5], [6, 9], [6, -3], [7, 9]], [[2, 5], [5, 4], [7, 9], [1, 9]]]]> : tensor<1x4x4x2xi8>
// args: dense<[[[[-3, -4, -6, -2]], [[-5, -6, -4, 4]]], [[[-5, 6, -1, 1]], [[-2, -2, 1, 3]]]]> : tensor<2x2x1x4xi8>
// expect: dense<-5> : tensor<1x3x4x4xi8>
module {
  func.func @main(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<2x2x1x4x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x3x4x4x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 2, 2>, padding = dense<[[1, 0], [1, 1]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 2, 2>, rhs_dilation = array<i64: 2, 1>, window_reversal = array<i1: false, true>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<1x4x4x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x2x1x4x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x3x4x4x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<1x3x4x4x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
