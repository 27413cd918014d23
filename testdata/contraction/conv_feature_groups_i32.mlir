// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[5, -4, 2, -6, 1, -3], [-4, -6, 0, 5, 0, 6], [1, 1, 2, 6, 4, -1], [-3, 4, -2, 3, 0, -2]]]> : tensor<1x4x6xi32>
// args: dense<[[[1, 5, 2, -3, 4, 5, -1, 4, -1], [6, -2, -1, -1, -2, -4, 2, -4, 0]], [[-3, 3, 4, 2, -5, 5, -4, -1, -1], [3, 0, -4, -3, 6, 6, -5, -5, -1]]]> : tensor<2x2x9xi32>
// expect: dense<[[[-25, 21, 22, -15, 50, 64, -37, -14, -7], [-40, -5, -2, -19, 16, 26, 1, -23, -3], [28, -6, -27, -25, 24, -6, 4, 30, -2]]]> : tensor<1x3x9xi32>
module {
  func.func @main(%arg0: tensor<1x4x6xi32>, %arg1: tensor<2x2x9xi32>) -> tensor<1x3x9xi32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, feature_group_count = 3 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (tensor<1x4x6xi32>, tensor<2x2x9xi32>) -> tensor<1x3x9xi32>
    "func.return"(%r0) : (tensor<1x3x9xi32>) -> ()
  }
}
