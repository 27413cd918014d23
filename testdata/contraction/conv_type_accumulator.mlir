// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[9, -3], [7, 9], [9, -1], [-2, 6], [-3, -2]]]> : tensor<1x5x2xi8>
// args: dense<[[[3, 3, -2], [-4, -5, 3]], [[-5, 1, 1], [-3, 0, 1]], [[-4, -5, 6], [3, -3, 0]]]> : tensor<3x2x3xi8>
// expect: dense<[[[-32, 34, 16], [-1, 4, -18], [59, 78, -62]]]> : tensor<1x3x3xi32>
module {
  func.func @main(%arg0: tensor<1x5x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<3x2x3x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x3x3x!quant.uniform<i32:f32, 1.250000e-01>> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (tensor<1x5x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<3x2x3x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x3x3x!quant.uniform<i32:f32, 1.250000e-01>>
    "func.return"(%r0) : (tensor<1x3x3x!quant.uniform<i32:f32, 1.250000e-01>>) -> ()
  }
}
