// clause: convolution: products of dequantized elements, each with its block's parameters
// Activations in f32, weights by blocks of i4.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[-1.5, 1.0], [2.0, 0.25], [3.0, -4.0]], [[0.25, 1.5], [1.5, 2.0], [0.5, 2.0]], [[-2.0, 3.0], [3.0, 4.0], [4.0, 2.0]]]]> : tensor<1x3x3x2xf32>
// args: dense<[[[[-6, -2, -7], [6, -3, -5]], [[-3, -7, 5], [-5, -8, 3]]], [[[-4, 1, 0], [1, -3, 5]], [[-7, 2, -8], [5, -7, 7]]]]> : tensor<2x2x2x3xi4>
// expect: dense<[[[[7.9375, -37.1875, 19.15625], [9.875, 11.25, -4.65625]], [[7.0, -88.0, -31.3125], [-13.25, -70.875, -76.25]]]]> : tensor<1x2x2x3xf32>
// wrong (scales per block left out): dense<[[[[7.75, -31.25, 25.75], [3.0, -11.25, 7.75]], [[3.0, -64.5, 23.25], [-34.5, -43.5, -1.0e+01]]]]> : tensor<1x2x2x3xf32>
// wrong (scale of the next block): dense<[[[[22.25, -18.4375, 17.1875], [42.625, -43.59375, 6.5625]], [[28.25, -21.1875, 22.0], [11.375, 3.0, 2.5]]]]> : tensor<1x2x2x3xf32>
// wrong (scale of the block before): dense<[[[[-14.96875, -21.5, 28.0], [-56.8125, -2.8125, 15.375]], [[-35.25, -46.625, 57.6875], [-99.0, -33.75, 35.0]]]]> : tensor<1x2x2x3xf32>
// wrong (blocks twice as long): dense<[[[[7.9375, -21.5, 28.0], [9.875, -2.8125, 15.375]], [[7.0, -46.625, 57.6875], [-13.25, -33.75, 35.0]]]]> : tensor<1x2x2x3xf32>
module {
  func.func @main(%arg0: tensor<1x3x3x2xf32>, %arg1: tensor<2x2x2x3x!quant.uniform<i4:f32:{2:1, 3:1}, {{{{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}}}>>) -> tensor<1x2x2x3xf32> {
    %r = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x3x2xf32>, tensor<2x2x2x3x!quant.uniform<i4:f32:{2:1, 3:1}, {{{{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}}}>>) -> tensor<1x2x2x3xf32>
    func.return %r : tensor<1x2x2x3xf32>
  }
}
