// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<"0x0403FD06000801FDFF080403050900080408070107050008060300090300FF06080206070205FD08030105FF06FD04FDFE010300050806FD020705FF010609FF01FEFEFF06FDFE0902FFFE07000803FF"> : tensor<2x4x5x2xi8>
// args: dense<[[[[1, -2, 2], [0, 1, 0]], [[5, -4, -6], [2, -2, -4]], [[3, -3, -3], [-6, -4, 4]]], [[[-2, -4, 4], [0, -6, -2]], [[-4, 0, 4], [-4, -5, 3]], [[0, -3, 5], [-4, -5, -4]]]]> : tensor<2x3x2x3xi8>
// expect: dense<[[[[-12, -8, -2], [-6, -8, -8], [-10, -6, 0]], [[-7, -11, -3], [-9, -9, -7], [-3, -7, -6]], [[-6, -7, -6], [-10, -9, -2], [-6, -8, -8]]], [[[-2, -3, -3], [-3, -6, -8], [-6, -3, 1]], [[0, -3, -9], [-4, -2, -3], [1, 0, -6]], [[-1, -4, -13], [-6, -3, -5], [-3, -3, -5]]]]> : tensor<2x3x3x3xi8>
module {
  func.func @main(%arg0: tensor<2x4x5x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<2x3x2x3x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x3x3x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<2x4x5x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x3x2x3x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x3x3x3x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<2x3x3x3x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
