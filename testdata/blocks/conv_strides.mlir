// clause: convolution: products of dequantized elements, each with its block's parameters
// Windows two apart.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[-2, -2], [-2, -2], [-6, -3]], [[1, 3], [3, 4], [-4, -1]], [[-7, 7], [3, -5], [3, 6]]]]> : tensor<1x3x3x2xi8>
// args: dense<[[[[-6, -4, 2], [-8, 3, 0]], [[-8, -5, -7], [-2, 7, -2]]], [[[0, 0, 5], [-5, 6, -4]], [[0, -7, 2], [-2, -3, 4]]]]> : tensor<2x2x2x3xi8>
// expect: dense<[[[[368, 62, -16]]]]> : tensor<1x1x1x3xi32>
// wrong (scales per block left out): dense<[[[[944, -64, 232]]]]> : tensor<1x1x1x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[[[308, -158, 94]]]]> : tensor<1x1x1x3xi32>
// wrong (blocks twice as long): dense<[[[[448, -68, 44]]]]> : tensor<1x1x1x3xi32>
module {
  func.func @main(%arg0: tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x2x3x!quant.uniform<i8:f32:{0:1, 2:1}, {{{{0.5}, {0.25}}}, {{{2.0}, {0.75}}}}>>) -> tensor<1x1x1x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x2x3x!quant.uniform<i8:f32:{0:1, 2:1}, {{{{0.5}, {0.25}}}, {{{2.0}, {0.75}}}}>>) -> tensor<1x1x1x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<1x1x1x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
