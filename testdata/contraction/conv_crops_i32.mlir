// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[0], [-2], [6], [0], [-5], [-1]], [[-6], [2], [0], [6], [-1], [-2]], [[4], [-2], [-6], [2], [-1], [-3]], [[0], [1], [3], [-4], [-6], [-5]], [[1], [-4], [5], [2], [0], [-3]]]]> : tensor<1x5x6x1xi32>
// args: dense<[[[[3, 3]], [[-4, -5]]], [[[-5, -5]], [[4, -1]]]]> : tensor<2x2x1x2xi32>
// expect: dense<[[[[-54, -46], [-8, 22], [14, -2]], [[24, 21], [25, 16], [-57, -39]], [[-25, -6], [31, 3], [8, 2]], [[19, 23], [-32, -37], [7, 5]]]]> : tensor<1x4x3x2xi32>
module {
  func.func @main(%arg0: tensor<1x5x6x1xi32>, %arg1: tensor<2x2x1x2xi32>) -> tensor<1x4x3x2xi32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[-1, 1], [0, -2]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<1x5x6x1xi32>, tensor<2x2x1x2xi32>) -> tensor<1x4x3x2xi32>
    "func.return"(%r0) : (tensor<1x4x3x2xi32>) -> ()
  }
}
