// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[0, -1], [5, 3], [-1, -1], [9, -3]], [[8, 3], [5, 9], [-2, 5], [2, -3]], [[2, 9], [7, 1], [2, -2], [1, -2]], [[-3, -1], [6, 7], [-2, -2], [2, 9]], [[4, 3], [-1, 2], [4, 2], [0, -2]], [[6, -3], [4, -2], [4, 4], [2, -3]]]> : tensor<6x4x2xi8>
// args: dense<[[[2, -6, 0, -6, -5, -4, 2, 6, 3], [5, 6, 3, 3, -5, 4, 4, 2, -3]], [[1, -1, -5, -5, 2, 3, 6, -1, -6], [-5, 0, 4, 0, -4, 2, -3, -6, 4]]]> : tensor<2x2x9xi8>
// expect: dense<[[[-6, -6, -6, -5, -6, -3, -6, -4, -4], [-4, -6, -5, -7, -4, -7, -5, -6, -6], [-4, -5, -9, -5, -2, -7, -5, -3, -5]], [[-6, -7, -4, -4, -2, -3, -5, -3, -5], [-4, -3, -2, -4, -7, -6, -6, -6, -4], [-3, -2, -6, -4, -4, -4, -4, -2, -6]]]> : tensor<2x3x9xi8>
module {
  func.func @main(%arg0: tensor<6x4x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<2x2x9x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x9x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, feature_group_count = 1 : i64, batch_group_count = 3 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (tensor<6x4x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x2x9x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x9x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<2x3x9x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
