// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[4, -3], [2, -6], [2, -1], [-2, -5]], [[0, 2], [3, -5], [4, -2], [-2, 2]], [[-4, 3], [-6, 5], [-5, 5], [4, -5]], [[4, -4], [-1, 4], [3, -2], [-5, 6]], [[-4, 2], [2, -2], [1, -2], [4, 1]], [[-6, -1], [2, 0], [2, 5], [1, 0]]]> : tensor<6x4x2xi32>
// args: dense<[[[0, -4, 2, 4, 6, -5, -6, -6, 4], [6, -3, 6, 4, -4, 2, -5, -1, -2]], [[-2, -4, 4, 1, 5, -3, 0, 4, 6], [0, -1, -6, 1, 1, 6, -1, -2, 3]]]> : tensor<2x2x9xi32>
// expect: dense<[[[-22, -9, 34, -5, -61, 74, 16, 34, -14], [-40, 3, -18, -4, -76, 85, 0, -2, 12], [-2, 8, 20, -1, -35, -7, 3, 10, 35]], [[6, -13, 54, 3, 39, -1, 41, 45, -10], [-38, -11, 4, 13, -9, -8, -17, -14, 35], [-8, -4, -24, 5, 7, 32, -37, -13, 4]]]> : tensor<2x3x9xi32>
module {
  func.func @main(%arg0: tensor<6x4x2xi32>, %arg1: tensor<2x2x9xi32>) -> tensor<2x3x9xi32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, feature_group_count = 1 : i64, batch_group_count = 3 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (tensor<6x4x2xi32>, tensor<2x2x9xi32>) -> tensor<2x3x9xi32>
    "func.return"(%r0) : (tensor<2x3x9xi32>) -> ()
  }
}
