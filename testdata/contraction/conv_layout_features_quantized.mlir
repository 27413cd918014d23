// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<"0x00030301070002FD000909FD000003040007FEFF01FE0900FD01080406FE090303070500FF0409FDFDFD080500070303FD0506FF000908070505040702FF04FD000700070903090603050904060109080705FF05060306070501FE0300FD00000006010901FD0608FE04090003070209030706FE04000900"> : tensor<2x3x4x5xi8>
// args: dense<[[[[4, 2, -2], [2, -3, 1]], [[-4, -1, -4], [-2, 3, 4]], [[-5, 5, 6], [-1, 6, 3]]], [[[-1, -1, 5], [-5, 0, -5]], [[3, -2, -4], [3, 2, -6]], [[5, -3, 6], [-2, 1, -5]]]]> : tensor<2x3x2x3xi8>
// expect: dense<[[[[-4, 1, -10], [-8, -9, -3], [-7, -3, 0]], [[-3, -6, 1], [-6, -8, 0], [-8, -6, -4]]], [[[-2, -3, -7], [-3, -12, -1], [1, -2, 0]], [[-4, -8, -10], [-8, -3, -7], [-7, -4, -3]]]]> : tensor<2x2x3x3xi8>
module {
  func.func @main(%arg0: tensor<2x3x4x5x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<2x3x2x3x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x2x3x3x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2, 3], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0, kernel_spatial_dimensions = [2, 3], output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = [2, 3]>} : (tensor<2x3x4x5x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x3x2x3x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x2x3x3x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<2x2x3x3x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
