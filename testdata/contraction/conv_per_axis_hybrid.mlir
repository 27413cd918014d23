// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-4.5, 3.0], [-1.5, 2.75], [-2.5, 5.25], [-5.5, 2.5], [-4.75, -0.5]]]> : tensor<1x5x2xf32>
// args: dense<[[[5, 6, 1], [-3, 4, -4]], [[6, -4, -3], [4, 5, 6]], [[-5, -5, 3], [4, -5, 1]]]> : tensor<3x2x3xi8>
// expect: dense<[[[2.0, -2.25, 2.25], [13.875, 13.3125, 12.5], [-14.75, 16.6875, -6.75]]]> : tensor<1x3x3xf32>
module {
  func.func @main(%arg0: tensor<1x5x2xf32>, %arg1: tensor<3x2x3x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01,1.000000e+00}>>) -> tensor<1x3x3xf32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (tensor<1x5x2xf32>, tensor<3x2x3x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01,1.000000e+00}>>) -> tensor<1x3x3xf32>
    "func.return"(%r0) : (tensor<1x3x3xf32>) -> ()
  }
}
