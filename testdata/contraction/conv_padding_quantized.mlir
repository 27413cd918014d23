// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[9, 0], [3, 8], [-2, 1]], [[1, 1], [3, 8], [5, 7]], [[9, -2], [8, -3], [0, 2]]]]> : tensor<1x3x3x2xi8>
// args: dense<[[[[-4], [4]], [[-4], [6]]], [[[-5], [5]], [[-3], [-5]]], [[[5], [2]], [[-4], [3]]]]> : tensor<3x2x2x1xi8>
// expect: dense<[[[[-3], [-4], [-7]], [[-9], [-1], [-3]], [[-8], [-2], [-5]], [[-6], [-5], [-4]]]]> : tensor<1x4x3x1xi8>
module {
  func.func @main(%arg0: tensor<1x3x3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<3x2x2x1x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x4x3x1x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[2, 1], [0, 1]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<1x3x3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<3x2x2x1x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x4x3x1x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<1x4x3x1x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
