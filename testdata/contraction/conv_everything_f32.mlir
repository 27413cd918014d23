// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[3.5, -5.25], [0.0, -3.5], [1.75, 4.25], [4.25, -6.0]], [[5.75, -5.75], [-0.5, 1.5], [0.0, 2.5], [3.75, -2.0]], [[3.5, 4.75], [2.75, -2.0], [-2.75, -6.0], [-3.25, -0.5]], [[-1.0, -2.5], [-2.5, -1.25], [4.25, -2.0], [3.0, 1.5]]]]> : tensor<1x4x4x2xf32>
// args: dense<[[[[4.5, 1.0, 4.5, 0.0]], [[-1.5, 2.0, 4.75, -3.25]]], [[[4.5, 1.75, -1.0, 0.0]], [[5.75, -3.0, -1.5, -3.0]]]]> : tensor<2x2x1x4xf32>
// expect: dense<0.0> : tensor<1x3x4x4xf32>
module {
  func.func @main(%arg0: tensor<1x4x4x2xf32>, %arg1: tensor<2x2x1x4xf32>) -> tensor<1x3x4x4xf32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 2, 2>, padding = dense<[[1, 0], [1, 1]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 2, 2>, rhs_dilation = array<i64: 2, 1>, window_reversal = array<i1: false, true>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<1x4x4x2xf32>, tensor<2x2x1x4xf32>) -> tensor<1x3x4x4xf32>
    "func.return"(%r0) : (tensor<1x3x4x4xf32>) -> ()
  }
}
