// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[2], [9], [-1], [2], [0], [2], [-3]], [[-2], [2], [7], [1], [-3], [0], [3]], [[8], [4], [4], [4], [-2], [3], [0]], [[-1], [3], [1], [2], [1], [0], [0]], [[-3], [0], [3], [7], [9], [1], [-1]], [[-3], [2], [7], [-3], [6], [6], [8]]]]> : tensor<1x6x7x1xi8>
// args: dense<[[[[4, 1]], [[0, -2]]], [[[0, 2]], [[-1, 2]]]]> : tensor<2x2x1x2xi8>
// expect: dense<[[[[-5, -7], [-5, -6]], [[-4, -5], [-5, -5]], [[-6, -6], [-4, -6]]]]> : tensor<1x3x2x2xi8>
module {
  func.func @main(%arg0: tensor<1x6x7x1x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<2x2x1x2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x3x2x2x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 2, 3>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<1x6x7x1x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x2x1x2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x3x2x2x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<1x3x2x2x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
