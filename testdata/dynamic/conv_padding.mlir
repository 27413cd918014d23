// clause: dynamic_conv: functionally identical to convolution, with padding as an operand
// Padding of either sign, uneven, with a dilated input: the low end decides where windows start.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[1.0], [2.0], [3.0], [4.0], [5.0]]]> : tensor<1x5x1xf32>
// args: dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
// args: dense<[[-1, 2]]> : tensor<1x2xi64>
// expect: dense<[[[2.0e+01], [3.0e+01], [4.0e+01], [5.0e+01], [0.0]]]> : tensor<1x5x1xf32>
module {
  func.func @main(%x: tensor<1x5x1xf32>, %w: tensor<2x1x1xf32>, %p: tensor<1x2xi64>) -> tensor<1x5x1xf32> {
    %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {window_strides = array<i64: 2>, lhs_dilation = array<i64: 2>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x5x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi64>) -> tensor<1x5x1xf32>
    func.return %0 : tensor<1x5x1xf32>
  }
}
