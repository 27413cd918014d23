// clause: convolution: products of dequantized elements, each with its block's parameters
// A scale for each row of the kernel.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[4, 0], [5, -3], [7, -8]], [[0, 3], [-1, 1], [2, 7]], [[7, 5], [-6, 3], [-4, 1]]]]> : tensor<1x3x3x2xi8>
// args: dense<[[[[4, -7, -6], [2, -4, 3]], [[-8, -8, -2], [-6, 1, 0]]], [[[-5, -4, -1], [-3, 6, 3]], [[-4, -2, 4], [-3, -6, 1]]]]> : tensor<2x2x2x3xi8>
// expect: dense<[[[[146, -4, -106], [156, -168, -156]], [[148, 232, 36], [14, 316, 38]]]]> : tensor<1x2x2x3xi32>
// wrong (scales per block left out): dense<[[[[440, 120, -272], [384, -408, -320]], [[336, 520, -64], [344, 880, -8]]]]> : tensor<1x2x2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[[[184, 94, -98], [132, -138, -84]], [[104, 158, -84], [244, 344, -44]]]]> : tensor<1x2x2x3xi32>
// wrong (blocks twice as long): dense<[[[[220, 60, -136], [192, -204, -160]], [[168, 260, -32], [172, 440, -4]]]]> : tensor<1x2x2x3xi32>
module {
  func.func @main(%arg0: tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x2x3x!quant.uniform<i8:f32:{0:1}, {{{{0.5}}}, {{{0.25}}}}>>) -> tensor<1x2x2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x2x3x!quant.uniform<i8:f32:{0:1}, {{{{0.5}}}, {{{0.25}}}}>>) -> tensor<1x2x2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<1x2x2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
