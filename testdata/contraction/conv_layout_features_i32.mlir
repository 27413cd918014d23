// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<"0xFAFBFC00FB04FAFC03FF01FB050104FB03FCFAFEFFFB0206FDFAFD060305FCFD0501FF03FE01FB01030400FA01030604FAFEFA05FA050102FB03FCFF0105FCFD0600FB0605FAFD0604FD040102FBFC03FD05050006FB01FD020400FDFCFA01FFFEFA02FFFAFBFDFFFEFAFF00FDFC02FEFE00000206FDFF05"> : tensor<2x3x4x5xi8>
// args: dense<[[[[-6, 3, 2], [6, 1, 1]], [[3, -6, 4], [-1, -4, 2]], [[2, 1, -3], [-3, 5, 3]]], [[[2, 3, -3], [5, -5, -1]], [[-5, -4, 4], [-2, -2, -5]], [[5, 6, 5], [-2, 1, 4]]]]> : tensor<2x3x2x3xi8>
// expect: dense<[[[[135, -27, -115], [31, -38, 129], [-20, 15, -67]], [[115, -57, -169], [146, -62, -14], [-46, 80, -26]]], [[[-17, -83, 76], [-75, 134, 32], [69, -48, -17]], [[22, -162, -93], [-97, 47, 80], [10, 44, 55]]]]> : tensor<2x2x3x3xi32>
module {
  func.func @main(%arg0: tensor<2x3x4x5xi8>, %arg1: tensor<2x3x2x3xi8>) -> tensor<2x2x3x3xi32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2, 3], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0, kernel_spatial_dimensions = [2, 3], output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = [2, 3]>} : (tensor<2x3x4x5xi8>, tensor<2x3x2x3xi8>) -> tensor<2x2x3x3xi32>
    "func.return"(%r0) : (tensor<2x2x3x3xi32>) -> ()
  }
}
