// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[5], [-3], [-2], [3], [6], [8]], [[5], [2], [-2], [1], [-1], [7]], [[-2], [0], [-2], [7], [-1], [7]], [[9], [6], [7], [7], [0], [5]], [[0], [0], [9], [2], [-1], [5]]]]> : tensor<1x5x6x1xi8>
// args: dense<[[[[-4, 5]], [[2, 1]]], [[[5, 1]], [[-1, 1]]]]> : tensor<2x2x1x2xi8>
// expect: dense<[[[[-7, -5], [-6, -6], [-6, -7]], [[-2, -6], [-4, -6], [-2, -6]], [[-7, -3], [-7, -4], [-4, -3]], [[-5, -6], [-4, -6], [-7, -3]]]]> : tensor<1x4x3x2xi8>
module {
  func.func @main(%arg0: tensor<1x5x6x1x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<2x2x1x2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x4x3x2x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[-1, 1], [0, -2]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<1x5x6x1x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x2x1x2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x4x3x2x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<1x4x3x2x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
