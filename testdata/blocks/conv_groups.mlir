// clause: convolution: products of dequantized elements, each with its block's parameters
// Two groups of features, each with its own block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[[-6, -8], [-7, -7], [3, 6]], [[7, -6], [4, -5], [-6, 0]], [[2, -1], [-6, 4], [-3, 6]]]]> : tensor<1x3x3x2xi8>
// args: dense<[[[[-3, 3, -1, -1]], [[-3, -7, 0, 3]]], [[[-7, -8, -7, 0]], [[7, -7, -5, -4]]]]> : tensor<2x2x1x4xi8>
// expect: dense<[[[[144, 16, 228, 26], [-160, 100, 162, 62]], [[-284, 304, 64, -38], [180, 720, -28, -26]]]]> : tensor<1x2x2x4xi32>
// wrong (scales per block left out): dense<[[[[288, 32, 912, 104], [-320, 200, 648, 248]], [[-568, 608, 256, -152], [360, 1440, -112, -104]]]]> : tensor<1x2x2x4xi32>
// wrong (scale of the next block; scale of the block before): dense<[[[[72, 8, 456, 52], [-80, 50, 324, 124]], [[-142, 152, 128, -76], [90, 360, -56, -52]]]]> : tensor<1x2x2x4xi32>
// wrong (blocks half as long): dense<[[[[144, 8, 456, 26], [-160, 50, 324, 62]], [[-284, 152, 128, -38], [180, 360, -56, -26]]]]> : tensor<1x2x2x4xi32>
// wrong (blocks twice as long): dense<[[[[144, 16, 456, 52], [-160, 100, 324, 124]], [[-284, 304, 128, -76], [180, 720, -56, -52]]]]> : tensor<1x2x2x4xi32>
module {
  func.func @main(%arg0: tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x1x4x!quant.uniform<i8:f32:{3:2}, {{{{0.5, 0.25}}}}>>) -> tensor<1x2x2x4x!quant.uniform<i32:f32, 0.0625>> {
    %r = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x3x3x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x1x4x!quant.uniform<i8:f32:{3:2}, {{{{0.5, 0.25}}}}>>) -> tensor<1x2x2x4x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<1x2x2x4x!quant.uniform<i32:f32, 0.0625>>
  }
}
