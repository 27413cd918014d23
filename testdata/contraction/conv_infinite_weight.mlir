// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Padding is zero products (erratum E23): no NaN of zero times infinity.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>
// args: dense<[[[0x7F800000]], [[1.0]], [[3.0]]]> : tensor<3x1x1xf32>
// expect: dense<[[[7.0], [0x7F800000]]]> : tensor<1x2x1xf32>
module {
  func.func @main(%arg0: tensor<1x2x1xf32>, %arg1: tensor<3x1x1xf32>) -> tensor<1x2x1xf32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1>, padding = dense<[[1, 1]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (tensor<1x2x1xf32>, tensor<3x1x1xf32>) -> tensor<1x2x1xf32>
    "func.return"(%r0) : (tensor<1x2x1xf32>) -> ()
  }
}
