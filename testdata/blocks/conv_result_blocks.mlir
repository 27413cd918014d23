// clause: convolution: products of dequantized elements, each with its block's parameters
// A result with a scale per pair of features.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[2, -8], [-2, 1], [6, -5]], [[7, 2], [3, 0], [4, -5]], [[3, 7], [4, -3], [6, -1]]]]> : tensor<1x3x3x2xi8>
// args: dense<[[[[-4, -8, 6], [-2, -7, -3]], [[-1, -6, 3], [-4, 6, -5]]], [[[4, -8, -6], [6, 2, 2]], [[-1, 7, -5], [3, -4, 2]]]]> : tensor<2x2x2x3xi8>
// expect: dense<[[[[5, 6, 1], [4, 5, 2]], [[-8, -9, -4], [-8, -8, -7]]]]> : tensor<1x2x2x3xi8>
// wrong (rounded toward zero): dense<[[[[5, 5, 1], [3, 4, 2]], [[-7, -8, -3], [-7, -7, -7]]]]> : tensor<1x2x2x3xi8>
// wrong (rounded down): dense<[[[[5, 5, 1], [3, 4, 2]], [[-8, -9, -4], [-8, -8, -8]]]]> : tensor<1x2x2x3xi8>
// wrong (scales per block left out): dense<[[[[23, 44, -2], [8, 14, 2]], [[-6, -9, 10], [-12, -15, -2]]]]> : tensor<1x2x2x3xi8>
// wrong (scale of the next block; scale of the block before): dense<[[[[6, 13, 5], [3, 4, 4]], [[-6, -6, -6], [-8, -8, -6]]]]> : tensor<1x2x2x3xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[[[-5, -4, -9], [-6, -5, -8]], [[2, 1, 6], [2, 2, 3]]]]> : tensor<1x2x2x3xi8>
// wrong (blocks twice as long): dense<[[[[6, 8, 2], [4, 4, 3]], [[3, 3, 5], [2, 2, 4]]]]> : tensor<1x2x2x3xi8>
module {
  func.func @main(%arg0: tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x2x3x!quant.uniform<i8:f32:{2:1}, {{{{0.5}, {0.25}}}}>>) -> tensor<1x2x2x3x!quant.uniform<i8:f32:{1:1}, {{{{4.0:3}}, {{2.0:-7}}}}>> {
    %r = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x2x3x!quant.uniform<i8:f32:{2:1}, {{{{0.5}, {0.25}}}}>>) -> tensor<1x2x2x3x!quant.uniform<i8:f32:{1:1}, {{{{4.0:3}}, {{2.0:-7}}}}>>
    func.return %r : tensor<1x2x2x3x!quant.uniform<i8:f32:{1:1}, {{{{4.0:3}}, {{2.0:-7}}}}>>
  }
}
