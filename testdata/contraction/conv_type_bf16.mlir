// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// schedules: any
// args: dense<[[[-1.0, -5.5], [0.75, -5.25], [3.0, -5.75], [-0.25, -4.25], [0.75, 5.5]]]> : tensor<1x5x2xbf16>
// args: dense<[[[0.75, -2.75, -6.0], [6.0, -0.75, 4.5]], [[-0.25, -4.0, 5.75], [5.75, 0.75, 2.5]], [[-4.0, 0.5, 4.75], [-3.25, 3.0, -1.0]]]> : tensor<3x2x3xbf16>
// expect: dense<[[[-57.4375, -15.8125, -7.5625], [-49.9375, -27.3125, -22.1875], [-77.5, 10.75, -57.875]]]> : tensor<1x3x3xf32>
module {
  func.func @main(%arg0: tensor<1x5x2xbf16>, %arg1: tensor<3x2x3xbf16>) -> tensor<1x3x3xf32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (tensor<1x5x2xbf16>, tensor<3x2x3xbf16>) -> tensor<1x3x3xf32>
    "func.return"(%r0) : (tensor<1x3x3xf32>) -> ()
  }
}
