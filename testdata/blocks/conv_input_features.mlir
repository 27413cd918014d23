// clause: convolution: products of dequantized elements, each with its block's parameters
// A scale for each input feature.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[-1, 5], [5, -1], [-1, -3]], [[-5, 6], [5, 2], [0, -5]], [[5, -1], [4, -3], [0, 5]]]]> : tensor<1x3x3x2xi8>
// args: dense<[[[[7, 6, -8], [5, -3, 2]], [[-8, 4, 7], [-5, -7, 0]]], [[[-2, -3, -2], [3, -5, 6]], [[-2, 7, -8], [3, 2, 5]]]]> : tensor<2x2x2x3xi8>
// expect: dense<[[[[-56, 98, 218], [158, -38, -204]], [[-332, -144, 168], [214, 90, -116]]]]> : tensor<1x2x2x3xi32>
// wrong (scales per block left out): dense<[[[[32, 216, 504], [248, 96, -624]], [[-704, -264, 144], [520, 552, -344]]]]> : tensor<1x2x2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[[[80, 64, 160], [28, 110, -264]], [[-196, -54, -60], [176, 324, -142]]]]> : tensor<1x2x2x3xi32>
// wrong (blocks twice as long): dense<[[[[16, 108, 252], [124, 48, -312]], [[-352, -132, 72], [260, 276, -172]]]]> : tensor<1x2x2x3xi32>
module {
  func.func @main(%arg0: tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x2x3x!quant.uniform<i8:f32:{2:1}, {{{{0.5}, {0.25}}}}>>) -> tensor<1x2x2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x2x3x!quant.uniform<i8:f32:{2:1}, {{{{0.5}, {0.25}}}}>>) -> tensor<1x2x2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<1x2x2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
