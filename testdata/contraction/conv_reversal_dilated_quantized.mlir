// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[1, 3], [-1, 8], [4, 9], [5, 0], [0, 3], [5, 6]], [[8, 4], [-1, 7], [1, -1], [-3, 4], [-2, 4], [5, 8]], [[4, 2], [9, 1], [9, -2], [-2, 0], [2, 3], [9, -2]], [[9, 7], [2, 3], [5, 3], [4, -3], [-3, 7], [2, 3]], [[3, 3], [-3, -2], [2, 6], [-1, 1], [4, 3], [-1, 1]]]]> : tensor<1x5x6x2xi8>
// args: dense<[[[[-6], [4]], [[0], [-2]], [[-2], [-2]]], [[[-4], [1]], [[-3], [0]], [[-3], [6]]]]> : tensor<2x3x2x1xi8>
// expect: dense<[[[[-3], [-7]], [[-2], [-1]], [[-7], [-5]]]]> : tensor<1x3x2x1xi8>
module {
  func.func @main(%arg0: tensor<1x5x6x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<2x3x2x1x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x3x2x1x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 2, 2>, window_reversal = array<i1: true, true>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<1x5x6x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x3x2x1x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x3x2x1x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<1x3x2x1x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
