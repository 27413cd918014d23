// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Padding stands for the number 0, which is stored as the zero point, not as 0.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[10], [20]]]> : tensor<1x2x1xi8>
// args: dense<[[[4]], [[5]], [[6]]]> : tensor<3x1x1xi8>
// expect: dense<[[[137], [113]]]> : tensor<1x2x1xi32>
module {
  func.func @main(%arg0: tensor<1x2x1x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<3x1x1x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x2x1x!quant.uniform<i32:f32, 1.250000e-01>> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1>, padding = dense<[[1, 1]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (tensor<1x2x1x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<3x1x1x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x2x1x!quant.uniform<i32:f32, 1.250000e-01>>
    "func.return"(%r0) : (tensor<1x2x1x!quant.uniform<i32:f32, 1.250000e-01>>) -> ()
  }
}
