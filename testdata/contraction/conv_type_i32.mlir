// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// schedules: any
// args: dense<[[[1, -3], [3, 1], [-3, 0], [3, 1], [-1, 3]]]> : tensor<1x5x2xi8>
// args: dense<[[[5, -5, 2], [0, 3, -4]], [[-2, 4, 5], [2, 4, -6]], [[-3, -6, 6], [2, -5, -1]]]> : tensor<3x2x3xi8>
// expect: dense<[[[10, 20, 5], [14, -47, 4], [-10, 22, -6]]]> : tensor<1x3x3xi32>
module {
  func.func @main(%arg0: tensor<1x5x2xi8>, %arg1: tensor<3x2x3xi8>) -> tensor<1x3x3xi32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (tensor<1x5x2xi8>, tensor<3x2x3xi8>) -> tensor<1x3x3xi32>
    "func.return"(%r0) : (tensor<1x3x3xi32>) -> ()
  }
}
