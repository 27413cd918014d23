// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[6, 2], [-1, -6], [-5, 0]], [[-5, -6], [-2, -5], [3, 4]], [[-5, 3], [5, -3], [-5, 0]]]]> : tensor<1x3x3x2xi32>
// args: dense<[[[[1], [3]], [[6], [4]]], [[[-6], [1]], [[5], [-1]]], [[[-3], [0]], [[4], [-6]]]]> : tensor<3x2x2x1xi32>
// expect: dense<[[[[14], [-17], [15]], [[4], [-31], [21]], [[54], [-66], [-4]], [[6], [-41], [45]]]]> : tensor<1x4x3x1xi32>
module {
  func.func @main(%arg0: tensor<1x3x3x2xi32>, %arg1: tensor<3x2x2x1xi32>) -> tensor<1x4x3x1xi32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[2, 1], [0, 1]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<1x3x3x2xi32>, tensor<3x2x2x1xi32>) -> tensor<1x4x3x1xi32>
    "func.return"(%r0) : (tensor<1x4x3x1xi32>) -> ()
  }
}
