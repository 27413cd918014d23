// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-4.0, 2.75], [-3.0, -5.0], [-3.25, -5.75], [5.75, -6.0], [4.0, 3.75]]]> : tensor<1x5x2xf32>
// args: dense<[[[1.25, -1.25, 3.5], [-3.0, 5.0, -0.25]], [[-3.5, 2.0, -5.0], [1.0, -1.25, -5.5]], [[5.5, 4.5, -4.0], [0.0, -3.0, -4.0]]]> : tensor<3x2x3xf32>
// expect: dense<[[[-25.625, 21.625, 63.8125], [48.5, 23.3125, 39.625], [9.0625, 1.0625, -36.6875]]]> : tensor<1x3x3xf32>
module {
  func.func @main(%arg0: tensor<1x5x2xf32>, %arg1: tensor<3x2x3xf32>) -> tensor<1x3x3xf32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (tensor<1x5x2xf32>, tensor<3x2x3xf32>) -> tensor<1x3x3xf32>
    "func.return"(%r0) : (tensor<1x3x3xf32>) -> ()
  }
}
