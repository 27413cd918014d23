// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-1, 5], [-1, -1], [0, 3]]> : tensor<3x2xi8>
// args: dense<[[-2, 4, -3, -1], [-4, 4, -5, -1]]> : tensor<2x4xi8>
// expect: dense<[[-5, -6, -5, -5], [-4, -7, -3, -4], [-5, -6, -4, -5]]> : tensor<3x4xi8>
module {
  func.func @main(%arg0: tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<2x4x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<3x4x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64>, padding = dense<> : tensor<0x2xi64>, lhs_dilation = array<i64>, rhs_dilation = array<i64>, window_reversal = array<i1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [], kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 1, kernel_spatial_dimensions = [], output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = []>} : (tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x4x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<3x4x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<3x4x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
