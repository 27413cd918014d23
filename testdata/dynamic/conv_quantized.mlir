// clause: dynamic_conv: functionally identical to convolution, with padding as an operand
// Padding stands for the number zero, which is stored as 3: padding with the stored 0 gives another sum.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[5], [-9]]]> : tensor<1x2x1xi8>
// args: dense<[[[2]], [[4]]]> : tensor<2x1x1xi8>
// args: dense<[[1, 1]]> : tensor<1x2xi32>
// expect: dense<[[[11], [-41], [-21]]]> : tensor<1x3x1xi8>
module {
  func.func @main(%x: tensor<1x2x1x!quant.uniform<i8:f32, 5.000000e-01:3>>, %w: tensor<2x1x1x!quant.uniform<i8:f32, 1.000000e+00>>, %p: tensor<1x2xi32>) -> tensor<1x3x1x!quant.uniform<i8:f32, 5.000000e-01:3>> {
    %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x2x1x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x1x1x!quant.uniform<i8:f32, 1.000000e+00>>, tensor<1x2xi32>) -> tensor<1x3x1x!quant.uniform<i8:f32, 5.000000e-01:3>>
    func.return %0 : tensor<1x3x1x!quant.uniform<i8:f32, 5.000000e-01:3>>
  }
}
