// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<"0x01090001FDFF080808FE0606FD020100070802FE040509FF0204040009000504FE00FF0006FD06FEFE0405FD04FF00FDFE02FF060400040808080203090606000706090609FE0201040507040909FDFD08FEFE03FDFE06FF04FFFD03010400060603090301FD03040409FDFD09FF06FEFD050600FE010400"> : tensor<4x2x5x3xi8>
// args: dense<[[[[1, -4], [-3, -5], [6, -5]], [[0, -3], [0, -5], [5, -5]], [[-1, -4], [2, 6], [3, 2]]], [[[1, 5], [-4, 5], [3, 3]], [[6, 0], [-6, 5], [-4, -5]], [[-6, -4], [1, 1], [-6, 1]]]]> : tensor<2x3x3x2xi8>
// expect: dense<[[[[-6, -9], [2, -6]], [[0, -9], [0, -5]], [[-3, -9], [-12, -6]]], [[[-13, -5], [-12, -5]], [[-10, 0], [-2, -9]], [[-4, 0], [0, -15]]], [[[0, -17], [-2, -7]], [[-7, -6], [-4, -5]], [[-2, -4], [1, -4]]]]> : tensor<3x3x2x2xi8>
module {
  func.func @main(%arg0: tensor<4x2x5x3x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg1: tensor<2x3x3x2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<3x3x2x2x!quant.uniform<i8:f32, 2.000000e+00:-5>> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 1, input_feature_dimension = 3, input_spatial_dimensions = [0, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 0, kernel_spatial_dimensions = [3, 1], output_batch_dimension = 2, output_feature_dimension = 3, output_spatial_dimensions = [0, 1]>} : (tensor<4x2x5x3x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x3x3x2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<3x3x2x2x!quant.uniform<i8:f32, 2.000000e+00:-5>>
    "func.return"(%r0) : (tensor<3x3x2x2x!quant.uniform<i8:f32, 2.000000e+00:-5>>) -> ()
  }
}
