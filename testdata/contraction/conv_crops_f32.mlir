// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[5.75], [-1.5], [-2.5], [-3.5], [0.25], [-3.75]], [[1.0], [2.25], [4.75], [-3.75], [-3.5], [-2.75]], [[-3.75], [-1.0], [-4.0], [1.0], [3.75], [-2.5]], [[0.5], [2.75], [-3.0], [-2.5], [5.0], [-5.75]], [[-2.0], [-4.75], [3.0], [-0.75], [4.25], [0.5]]]]> : tensor<1x5x6x1xf32>
// args: dense<[[[[4.5, 0.75]], [[5.25, -0.5]]], [[[-1.5, 1.0]], [[-3.25, 3.5]]]]> : tensor<2x2x1x2xf32>
// expect: dense<[[[[25.1875, -7.625], [49.5625, -15.6875], [4.4375, 4.9375]], [[-31.8125, 7.8125], [-19.875, -6.5], [-0.125, -15.25]], [[35.125, -19.625], [-6.0, 9.3125], [-28.6875, -0.625]], [[-33.9375, 0.875], [-5.625, -5.0625], [9.5625, 2.625]]]]> : tensor<1x4x3x2xf32>
module {
  func.func @main(%arg0: tensor<1x5x6x1xf32>, %arg1: tensor<2x2x1x2xf32>) -> tensor<1x4x3x2xf32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[-1, 1], [0, -2]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<1x5x6x1xf32>, tensor<2x2x1x2xf32>) -> tensor<1x4x3x2xf32>
    "func.return"(%r0) : (tensor<1x4x3x2xf32>) -> ()
  }
}
