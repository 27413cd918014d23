// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[6.0, 1.75, -5.5, 4.0, -0.5, 1.0], [-3.25, 0.75, -1.75, 5.25, -1.0, 2.5], [-3.75, 0.75, -2.0, -5.75, -5.5, -4.75], [2.5, 2.5, 3.5, 3.25, 1.5, -5.25]]]> : tensor<1x4x6xf32>
// args: dense<[[[4.5, -5.75, 3.5, -3.25, 4.75, 0.0, 4.25, -5.5, -2.75], [-2.25, -3.0, 2.0, 3.5, -1.5, 3.0, 2.0, 4.75, -3.0]], [[4.75, 1.25, 1.25, 4.75, -5.5, -2.0, 5.0, -0.75, 4.5], [0.0, 3.75, -2.25, -4.5, 1.25, 4.75, 5.75, 0.0, -2.5]]]> : tensor<2x2x9xf32>
// expect: dense<[[[7.625, -41.0, 18.75, -0.0625, -15.9375, 40.4375, 9.25, 8.25, -12.375], [-34.125, 14.5625, -16.25, 40.4375, -12.375, -7.5625, -54.0625, 21.5, -17.625], [-6.6875, 31.8125, -14.125, -11.625, -16.0625, -8.8125, -55.5625, 6.5625, 49.25]]]> : tensor<1x3x9xf32>
module {
  func.func @main(%arg0: tensor<1x4x6xf32>, %arg1: tensor<2x2x9xf32>) -> tensor<1x3x9xf32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, feature_group_count = 3 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (tensor<1x4x6xf32>, tensor<2x2x9xf32>) -> tensor<1x3x9xf32>
    "func.return"(%r0) : (tensor<1x3x9xf32>) -> ()
  }
}
