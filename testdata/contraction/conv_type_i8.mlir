// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[0, 6], [-1, 6], [-1, 4], [-3, 3], [-4, 5]]]> : tensor<1x5x2xi8>
// args: dense<[[[4, -6, 4], [1, 5, 5]], [[3, -6, -1], [0, -2, 4]], [[4, 1, -1], [-4, 0, 0]]]> : tensor<3x2x3xi8>
// expect: dense<[[[-17, 23, 56], [-25, 31, 46], [-45, 34, 35]]]> : tensor<1x3x3xi8>
module {
  func.func @main(%arg0: tensor<1x5x2xi8>, %arg1: tensor<3x2x3xi8>) -> tensor<1x3x3xi8> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (tensor<1x5x2xi8>, tensor<3x2x3xi8>) -> tensor<1x3x3xi8>
    "func.return"(%r0) : (tensor<1x3x3xi8>) -> ()
  }
}
