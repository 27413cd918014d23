// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<"0x03020003FFFC03FD0101FE0004FEFE0105FB04FD00020202FB04040200FEFCFB040302FA02050204060102FC050306FDFB0504FC04050401FB01FA01FD02FEFF02FD05000500010203FFFA0103FBFBFB03FB000301FEFEFFFE04FE000300FF05FD0403050101FDFEFFFB020303040502FA000401FDFDFAFB"> : tensor<4x2x5x3xi8>
// args: dense<[[[[2, 4], [1, 3], [-5, 6]], [[-1, -4], [6, 0], [4, -6]], [[0, -6], [5, 0], [-6, 3]]], [[[1, -4], [-3, -1], [4, -5]], [[-2, 0], [1, 5], [2, 5]], [[-3, -1], [0, -4], [5, 6]]]]> : tensor<2x3x3x2xi8>
// expect: dense<[[[[-27, -51], [55, 19]], [[-61, 9], [-15, 52]], [[3, 46], [90, 6]]], [[[-46, 55], [92, 64]], [[38, 21], [31, 1]], [[-13, -51], [-59, 7]]], [[[-16, 9], [-51, 83]], [[17, -1], [2, -72]], [[37, -1], [-85, 7]]]]> : tensor<3x3x2x2xi32>
module {
  func.func @main(%arg0: tensor<4x2x5x3xi8>, %arg1: tensor<2x3x3x2xi8>) -> tensor<3x3x2x2xi32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 1, input_feature_dimension = 3, input_spatial_dimensions = [0, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 0, kernel_spatial_dimensions = [3, 1], output_batch_dimension = 2, output_feature_dimension = 3, output_spatial_dimensions = [0, 1]>} : (tensor<4x2x5x3xi8>, tensor<2x3x3x2xi8>) -> tensor<3x3x2x2xi32>
    "func.return"(%r0) : (tensor<3x3x2x2xi32>) -> ()
  }
}
