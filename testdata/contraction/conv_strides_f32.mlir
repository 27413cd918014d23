// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[3.5], [4.75], [0.0], [-5.75], [-1.75], [3.5], [3.75]], [[-2.75], [5.25], [-1.75], [3.0], [-2.25], [-0.75], [-1.5]], [[-1.75], [-5.75], [5.5], [-4.75], [0.0], [-3.75], [-2.75]], [[-2.75], [-4.75], [5.75], [0.75], [5.5], [-4.0], [-2.75]], [[5.0], [3.25], [-4.25], [-5.0], [4.0], [-1.0], [2.75]], [[-1.75], [0.5], [0.0], [-1.25], [-3.0], [-2.25], [-1.75]]]]> : tensor<1x6x7x1xf32>
// args: dense<[[[[4.5, -4.25]], [[-3.0, -1.0]]], [[[1.0, -4.25]], [[2.5, 5.75]]]]> : tensor<2x2x1x2xf32>
// expect: dense<[[[[11.875, 22.25], [-23.25, 0.5]], [[-5.25, -2.4375], [-6.875, 48.625]], [[12.25, -14.1875], [-43.25, 5.3125]]]]> : tensor<1x3x2x2xf32>
module {
  func.func @main(%arg0: tensor<1x6x7x1xf32>, %arg1: tensor<2x2x1x2xf32>) -> tensor<1x3x2x2xf32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 2, 3>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<1x6x7x1xf32>, tensor<2x2x1x2xf32>) -> tensor<1x3x2x2xf32>
    "func.return"(%r0) : (tensor<1x3x2x2xf32>) -> ()
  }
}
