// clause: convolution: products of dequantized elements, each with its block's parameters
// A scale for each weight's position and feature.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[-2, 7], [-2, -6], [6, -5]], [[-5, 0], [5, -1], [-4, 7]], [[7, -7], [7, 6], [-4, 7]]]]> : tensor<1x3x3x2xi8>
// args: dense<[[[[-1, 7, -3], [-8, -3, 2]], [[6, 7, 1], [6, 3, 5]]], [[[5, -6, -3], [3, -8, -8]], [[-7, 2, -5], [7, 7, -4]]]]> : tensor<2x2x2x3xi8>
// expect: dense<[[[[-2226, 718, 136], [4092, 914, 1156]], [[21, 2617, -150], [3156, -1582, 789]]]]> : tensor<1x2x2x3xi32>
// wrong (ties rounded away from zero): dense<[[[[-2227, 718, 137], [4092, 914, 1156]], [[21, 2617, -150], [3157, -1582, 789]]]]> : tensor<1x2x2x3xi32>
// wrong (rounded down): dense<[[[[-2227, 718, 136], [4092, 914, 1156]], [[21, 2617, -150], [3156, -1582, 789]]]]> : tensor<1x2x2x3xi32>
// wrong (scales per block left out): dense<[[[[-1616, -488, 216], [976, 184, 40]], [[24, 320, 288], [944, -360, -144]]]]> : tensor<1x2x2x3xi32>
// wrong (scale of the next block): dense<[[[[-3396, -640, 261], [-391, -473, 648]], [[-929, -212, -1164], [1443, -95, 690]]]]> : tensor<1x2x2x3xi32>
// wrong (scale of the block before): dense<[[[[-968, -1245, 556], [2587, 734, 127]], [[-476, 1000, 2324], [2039, 266, -919]]]]> : tensor<1x2x2x3xi32>
// wrong (blocks twice as long): dense<[[[[-2226, -1245, 556], [4092, 734, 127]], [[21, 1000, 2324], [3156, 266, -919]]]]> : tensor<1x2x2x3xi32>
module {
  func.func @main(%arg0: tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x2x3x!quant.uniform<i8:f32:{0:1, 1:1, 2:1, 3:1}, {{{{0.5, 0.25, 2.0}, {2.0, 0.75, 1.5}}, {{0.75, 1.5, 0.125}, {0.125, 3.0, 0.0625}}}, {{{0.125, 3.0, 0.0625}, {0.0625, 5.0, 0.375}}, {{5.0, 0.375, 4.0}, {4.0, 0.875, 0.5}}}}>>) -> tensor<1x2x2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x2x3x!quant.uniform<i8:f32:{0:1, 1:1, 2:1, 3:1}, {{{{0.5, 0.25, 2.0}, {2.0, 0.75, 1.5}}, {{0.75, 1.5, 0.125}, {0.125, 3.0, 0.0625}}}, {{{0.125, 3.0, 0.0625}, {0.0625, 5.0, 0.375}}, {{5.0, 0.375, 4.0}, {4.0, 0.875, 0.5}}}}>>) -> tensor<1x2x2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<1x2x2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
