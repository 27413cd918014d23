// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[8, 2], [8, -2], [8, 6], [2, 1], [8, 2]]]> : tensor<1x5x2xi8>
// args: dense<[[[-3, -6, -6], [-3, -5, 5]], [[0, 4, 3], [-5, -2, 4]], [[-4, 3, 2], [4, 1, -5]]]> : tensor<3x2x3xi8>
// expect: dense<[[[10, 23, -180], [-38, 4, -80], [-76, -31, -44]]]> : tensor<1x3x3xi32>
module {
  func.func @main(%arg0: tensor<1x5x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<3x2x3x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01,1.000000e+00}>>) -> tensor<1x3x3x!quant.uniform<i32:f32, 1.250000e-01>> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (tensor<1x5x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<3x2x3x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01,1.000000e+00}>>) -> tensor<1x3x3x!quant.uniform<i32:f32, 1.250000e-01>>
    "func.return"(%r0) : (tensor<1x3x3x!quant.uniform<i32:f32, 1.250000e-01>>) -> ()
  }
}
