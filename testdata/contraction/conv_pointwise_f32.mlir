// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.0, 5.75], [0.25, -4.25], [4.5, 6.0]]> : tensor<3x2xf32>
// args: dense<[[-1.0, -2.0, 3.25, -4.5], [-2.0, -2.75, -2.0, 3.5]]> : tensor<2x4xf32>
// expect: dense<[[-12.5, -17.8125, -8.25, 15.625], [8.25, 11.1875, 9.3125, -16.0], [-16.5, -25.5, 2.625, 0.75]]> : tensor<3x4xf32>
module {
  func.func @main(%arg0: tensor<3x2xf32>, %arg1: tensor<2x4xf32>) -> tensor<3x4xf32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64>, padding = dense<> : tensor<0x2xi64>, lhs_dilation = array<i64>, rhs_dilation = array<i64>, window_reversal = array<i1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [], kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 1, kernel_spatial_dimensions = [], output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = []>} : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
    "func.return"(%r0) : (tensor<3x4xf32>) -> ()
  }
}
