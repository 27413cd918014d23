// clause: convolution: products of dequantized elements, each with its block's parameters
// Both sides have a scale per input feature.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[-1, 4], [4, 4], [-1, 6]], [[1, -8], [2, 0], [0, 5]], [[-3, -7], [1, -4], [-4, 0]]]]> : tensor<1x3x3x2xi8>
// args: dense<[[[[7, 3, -6], [7, 4, -2]], [[-1, 1, -7], [4, 6, -2]]], [[[0, -8, 4], [6, -6, 3]], [[-6, -1, 4], [0, 2, 7]]]]> : tensor<2x2x2x3xi8>
// expect: dense<[[[[-238, 4206, -1940], [2554, 2966, 702]], [[-4706, 152, -1640], [-116, 2596, -1104]]]]> : tensor<1x2x2x3xi32>
// wrong (scales per block left out): dense<[[[[-432, 1264, -800], [1296, 912, 96]], [[-1584, 480, -976], [544, 896, -736]]]]> : tensor<1x2x2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[[[-1112, -256, -560], [1496, -116, -402]], [[-244, 1348, -1410], [1816, 204, -1196]]]]> : tensor<1x2x2x3xi32>
// wrong (blocks twice as long): dense<[[[[-54, 158, -100], [162, 114, 12]], [[-198, 60, -122], [68, 112, -92]]]]> : tensor<1x2x2x3xi32>
module {
  func.func @main(%arg0: tensor<1x3x3x2x!quant.uniform<i8:f32:{3:1}, {{{{0.5, 2.0}}}}>>, %arg1: tensor<2x2x2x3x!quant.uniform<i8:f32:{2:1}, {{{{0.25}, {1.5}}}}>>) -> tensor<1x2x2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x3x2x!quant.uniform<i8:f32:{3:1}, {{{{0.5, 2.0}}}}>>, tensor<2x2x2x3x!quant.uniform<i8:f32:{2:1}, {{{{0.25}, {1.5}}}}>>) -> tensor<1x2x2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<1x2x2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
