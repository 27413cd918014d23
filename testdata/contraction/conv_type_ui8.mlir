// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// schedules: any
// args: dense<[[[4, 2], [0, 6], [0, 4], [3, 4], [4, 5]]]> : tensor<1x5x2xui8>
// args: dense<[[[0, 5, 4], [3, 5, 3]], [[3, 6, 3], [6, 1, 4]], [[0, 3, 3], [1, 4, 2]]]> : tensor<3x2x3xui8>
// expect: dense<[[[46, 52, 54], [46, 59, 51], [50, 74, 59]]]> : tensor<1x3x3xui32>
module {
  func.func @main(%arg0: tensor<1x5x2xui8>, %arg1: tensor<3x2x3xui8>) -> tensor<1x3x3xui32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (tensor<1x5x2xui8>, tensor<3x2x3xui8>) -> tensor<1x3x3xui32>
    "func.return"(%r0) : (tensor<1x3x3xui32>) -> ()
  }
}
