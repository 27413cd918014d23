// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[1.25, -5.25], [-1.5, -6.0], [0.25, -5.5], [-4.0, 2.5]], [[-4.25, 1.75], [-1.75, 2.5], [-4.5, 1.5], [1.75, -3.0]], [[5.0, -6.0], [5.5, -4.75], [-2.0, -0.75], [6.0, -3.5]], [[-5.0, 5.25], [2.5, 6.0], [1.0, -0.5], [0.0, -4.5]], [[-5.0, -4.0], [-0.75, -1.25], [-1.25, -4.0], [-1.5, 1.75]], [[-5.75, -2.25], [-3.0, -2.5], [4.5, -3.25], [4.0, 2.5]]]> : tensor<6x4x2xf32>
// args: dense<[[[4.5, 5.5, 3.0, -3.25, 5.0, -2.25, -4.75, 0.5, -3.75], [-4.75, -4.5, -1.25, 2.25, -4.75, 2.25, -3.75, 1.0, -2.25]], [[5.75, -3.75, 4.25, 1.0, -2.25, -4.75, 6.0, 2.0, -1.0], [3.0, -3.0, 1.75, -1.25, 1.25, -3.75, 6.0, -1.75, -4.75]]]> : tensor<2x2x9xf32>
// expect: dense<[[[3.9375, 54.125, -6.5625, -18.3125, 35.1875, -33.0625, 26.75, -5.8125, 34.4375], [6.6875, 34.3125, -5.5625, -29.625, 53.625, -10.75, -23.25, 2.875, 25.875], [11.75, 33.625, -5.0, 15.1875, -24.3125, -12.5625, 22.4375, -10.6875, 6.875]], [[-3.0e+01, -32.1875, -18.0, 23.0625, -48.0625, -11.3125, 2.75, -6.75, 41.5], [-41.125, -8.5, -24.875, 7.0, -18.875, 5.0, 31.125, 10.6875, 27.8125], [-26.3125, -29.0625, -13.1875, 1.25, 1.75, 13.5, 29.8125, 2.625, -25.4375]]]> : tensor<2x3x9xf32>
module {
  func.func @main(%arg0: tensor<6x4x2xf32>, %arg1: tensor<2x2x9xf32>) -> tensor<2x3x9xf32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, feature_group_count = 1 : i64, batch_group_count = 3 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (tensor<6x4x2xf32>, tensor<2x2x9xf32>) -> tensor<2x3x9xf32>
    "func.return"(%r0) : (tensor<2x3x9xf32>) -> ()
  }
}
