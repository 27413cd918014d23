// clause: dot_general: products of dequantized elements, each with its block's parameters
// Batches have zero points of their own.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[5, -8, -2, 1], [-7, -8, 3, 7]], [[-5, 7, -3, 7], [3, 0, -3, 1]]]> : tensor<2x2x4xi8>
// args: dense<[[[-2, -1, 7], [-3, -5, -6], [7, -5, 2], [3, -5, 4]], [[4, -6, 5], [-8, 3, -2], [1, 0, 5], [-3, 4, -1]]]> : tensor<2x4x3xi8>
// expect: dense<[[[-1123, 725, -520], [437, -319, 476]], [[-9204, 3218, -4914], [-4234, 1154, -1932]]]> : tensor<2x2x3xi32>
// wrong (scales per block left out): dense<[[[-304, 1296, 880], [1104, 784, 256]], [[-2848, 464, -1392], [-1008, -880, -288]]]> : tensor<2x2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[[2592, 5200, 7580], [5152, 6176, -304]], [[-4908, 370, -2295], [-1493, -2516, -246]]]> : tensor<2x2x3xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[[[695, -824, 668], [1979, -2144, 1388]], [[-2032, 3656, -4560], [3900, 2554, -616]]]> : tensor<2x2x3xi32>
// wrong (blocks half as long): dense<[[[297, 1271, 1084], [932, 682, 1730]], [[-26406, 5292, -12320], [-10390, 2108, -4928]]]> : tensor<2x2x3xi32>
// wrong (blocks twice as long): dense<[[[-12, 88, 62], [65, 45, 12]], [[-32, 47, -32], [28, 8, 6]]]> : tensor<2x2x3xi32>
module {
  func.func @main(%arg0: tensor<2x2x4x!quant.uniform<i8:f32:{0:1}, {{{0.5:3}}, {{2.0:-4}}}>>, %arg1: tensor<2x4x3x!quant.uniform<i8:f32:{0:1, 1:2}, {{{0.125}, {3.0:-1}}, {{0.0625:3}, {5.0:2}}}>>) -> tensor<2x2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x2x4x!quant.uniform<i8:f32:{0:1}, {{{0.5:3}}, {{2.0:-4}}}>>, tensor<2x4x3x!quant.uniform<i8:f32:{0:1, 1:2}, {{{0.125}, {3.0:-1}}, {{0.0625:3}, {5.0:2}}}>>) -> tensor<2x2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
