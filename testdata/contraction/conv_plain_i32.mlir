// clause: convolution: windows of lhs by slices of rhs, kernel positions, then input features
// Sizes differ, so that no dimension is taken for another; products and sums are exact in any order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<"0xFAFFFFFF02000000FCFFFFFF06000000FEFFFFFF04000000030000000600000003000000FFFFFFFF02000000FCFFFFFFFEFFFFFF0200000002000000FCFFFFFF050000000000000006000000FBFFFFFF0600000000000000FAFFFFFF0200000001000000030000000600000006000000FEFFFFFFFFFFFFFFFDFFFFFFFFFFFFFF040000000400000001000000FCFFFFFFFDFFFFFF00000000FFFFFFFF0400000004000000FDFFFFFF0200000001000000010000000400000004000000000000000400000004000000FDFFFFFFFEFFFFFF03000000020000000500000003000000FDFFFFFF0600000001000000FDFFFFFF02000000FAFFFFFF0600000003000000FCFFFFFF0200000004000000040000000500000001000000FDFFFFFF03000000060000000500000005000000FDFFFFFF010000000500000002000000FCFFFFFF"> : tensor<2x4x5x2xi32>
// args: dense<[[[[0, -1, -3], [3, -1, -2]], [[-4, 0, -6], [-4, 5, 4]], [[4, 6, -4], [5, 1, 1]]], [[[1, -5, 4], [4, -4, -4]], [[3, 0, 0], [-4, 5, 3]], [[6, 4, 2], [-1, -2, 0]]]]> : tensor<2x3x2x3xi32>
// expect: dense<[[[[-2, 58, 108], [110, 44, 4], [25, 85, 27]], [[-41, -2, 42], [57, 59, -57], [-37, 40, -51]], [[34, 64, 31], [65, -7, -16], [-86, 12, 4]]], [[[20, 61, -2], [-11, 9, -7], [25, 26, -19]], [[-33, 57, 19], [10, -26, 13], [15, 75, 12]], [[-20, 51, 1], [107, -42, -7], [-9, 81, 32]]]]> : tensor<2x3x3x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x5x2xi32>, %arg1: tensor<2x3x2x3xi32>) -> tensor<2x3x3x3xi32> {
    %r0 = "stablehlo.convolution"(%arg0, %arg1) {window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>} : (tensor<2x4x5x2xi32>, tensor<2x3x2x3xi32>) -> tensor<2x3x3x3xi32>
    "func.return"(%r0) : (tensor<2x3x3x3xi32>) -> ()
  }
}
