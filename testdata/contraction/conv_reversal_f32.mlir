// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[-1.5], [3.0], [3.25], [5.75]], [[5.75], [4.5], [4.25], [-1.5]], [[1.75], [6.0], [3.0], [-2.75]], [[4.25], [-3.75], [-2.5], [1.25]]]]> : tensor<1x4x4x1xf32>
// args: dense<[[[[2.75, 5.25]], [[-5.75, -3.75]], [[3.0, -2.0]]], [[[3.0, -3.5]], [[-4.25, 4.75]], [[-2.5, -5.0]]]]> : tensor<2x3x1x2xf32>
// expect: dense<[[[[-22.6875, 8.0625], [-35.75, -13.125]], [[-33.1875, -39.3125], [-9.8125, 37.6875]], [[-2.0, 48.75], [19.9375, -5.8125]]]]> : tensor<1x3x2x2xf32>
module {
  func.func @main(%arg0: tensor<1x4x4x1xf32>, %arg1: tensor<2x3x1x2xf32>) -> tensor<1x3x2x2xf32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: true, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<1x4x4x1xf32>, tensor<2x3x1x2xf32>) -> tensor<1x3x2x2xf32>
    "func.return"(%r0) : (tensor<1x3x2x2xf32>) -> ()
  }
}
