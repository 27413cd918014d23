// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[-1.75, -5.0], [-5.5, -0.75], [2.0, 4.5]], [[-1.0, 3.5], [-5.0, -4.25], [5.25, 5.75]], [[-4.5, -4.0], [-3.25, 5.25], [-4.75, 2.0]]]]> : tensor<1x3x3x2xf32>
// args: dense<[[[[0.0], [0.75]], [[-1.75], [3.25]]], [[[-0.25], [4.75]], [[2.5], [4.75]]], [[[4.75], [-2.0]], [[4.75], [-2.75]]]]> : tensor<3x2x2x1xf32>
// expect: dense<[[[[-22.375], [-27.5], [0.5]], [[-64.4375], [18.0625], [34.3125]], [[-55.625], [-21.9375], [2.8125]], [[-3.5], [29.6875], [15.0]]]]> : tensor<1x4x3x1xf32>
module {
  func.func @main(%arg0: tensor<1x3x3x2xf32>, %arg1: tensor<3x2x2x1xf32>) -> tensor<1x4x3x1xf32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[2, 1], [0, 1]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<1x3x3x2xf32>, tensor<3x2x2x1xf32>) -> tensor<1x4x3x1xf32>
    "func.return"(%r0) : (tensor<1x4x3x1xf32>) -> ()
  }
}
