// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[1], [5], [0], [-4], [-3]], [[2], [-6], [-4], [2], [-5]], [[0], [6], [0], [3], [5]], [[0], [-5], [3], [-2], [-2]], [[6], [3], [-4], [-1], [1]], [[2], [-5], [-2], [0], [-4]]]]> : tensor<1x6x5x1xi32>
// args: dense<[[[[0, -1]], [[-1, -5]], [[3, 2]]], [[[0, -3]], [[-1, -3]], [[2, -2]]]]> : tensor<2x3x1x2xi32>
// expect: dense<[[[[1, -17]], [[-18, 3]], [[21, 2]], [[-15, -11]]]]> : tensor<1x4x1x2xi32>
module {
  func.func @main(%arg0: tensor<1x6x5x1xi32>, %arg1: tensor<2x3x1x2xi32>) -> tensor<1x4x1x2xi32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 2, 2>, window_reversal = array<i1: false, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<1x6x5x1xi32>, tensor<2x3x1x2xi32>) -> tensor<1x4x1x2xi32>
    "func.return"(%r0) : (tensor<1x4x1x2xi32>) -> ()
  }
}
