// clause: convolution: products of dequantized elements, each with its block's parameters
// Zero points of blocks of u4.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[2.0, 1.5], [-4.0, -3.0], [0.25, 0.25]], [[0.5, 2.0], [4.0, 0.5], [1.0, -3.0]], [[-4.0, 3.0], [0.5, 2.0], [2.0, 3.0]]]]> : tensor<1x3x3x2xf32>
// args: dense<[[[[2, 7, 6], [1, 1, 7]], [[3, 2, 0], [6, 0, 0]]], [[[1, 1, 3], [1, 2, 7]], [[0, 4, 3], [7, 2, 0]]]]> : tensor<2x2x2x3xui4>
// expect: dense<[[[[-18.25, 1.125, 7.125], [-2.9375, -7.5625, -4.6875]], [[-7.125, -9.375, -12.125], [-27.25, -12.5, -14.25]]]]> : tensor<1x2x2x3xf32>
// wrong (scales per block left out): dense<[[[[-45.5, 2.0, 23.0], [1.5, -0.75, 0.25]], [[-29.5, -39.0, -33.0], [-60.5, -28.5, -28.5]]]]> : tensor<1x2x2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[[[-15.875, 0.375, 10.125], [4.0625, 7.0, 4.875]], [[-15.0, -19.875, -12.625], [-18.125, -8.875, -7.125]]]]> : tensor<1x2x2x3xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[[[-17.25, 2.125, 8.125], [-1.0, -5.625, -2.75]], [[-8.5, -10.75, -13.5], [-24.125, -9.375, -11.125]]]]> : tensor<1x2x2x3xf32>
// wrong (blocks twice as long): dense<[[[[-23.25, 0.5, 11.0], [3.375, 2.25, 2.75]], [[-18.5, -23.25, -20.25], [-31.5, -15.5, -15.5]]]]> : tensor<1x2x2x3xf32>
module {
  func.func @main(%arg0: tensor<1x3x3x2xf32>, %arg1: tensor<2x2x2x3x!quant.uniform<u4:f32:{2:1}, {{{{0.5:8}, {0.25:7}}}}>>) -> tensor<1x2x2x3xf32> {
    %r = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x3x2xf32>, tensor<2x2x2x3x!quant.uniform<u4:f32:{2:1}, {{{{0.5:8}, {0.25:7}}}}>>) -> tensor<1x2x2x3xf32>
    func.return %r : tensor<1x2x2x3xf32>
  }
}
