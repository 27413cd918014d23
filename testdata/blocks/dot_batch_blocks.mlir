// clause: dot_general: products of dequantized elements, each with its block's parameters
// Batches have scales of their own, on both sides.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-5, -1, -2, -2], [-5, -7, -7, -6]], [[1, 7, -5, -4], [-5, -2, 1, 2]]]> : tensor<2x2x4xi8>
// args: dense<[[[2, 5, 0], [-8, 3, 0], [1, -7, 3], [2, 7, 1]], [[-8, 5, -8], [5, -5, 3], [7, -7, -2], [-6, 1, -3]]]> : tensor<2x4x3xi8>
// expect: dense<[[[-74, -28, -96], [-182, 38, -324]], [[-606, 1800, 1346], [-240, -330, -412]]]> : tensor<2x2x3xi32>
// wrong (scales per block left out): dense<[[[-128, -448, -128], [432, -624, -432]], [[256, 16, 560], [400, -320, 416]]]> : tensor<2x2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[[-30, -336, -8], [533, -545, -27]], [[1598, -1738, 824], [1790, -910, 2024]]]> : tensor<2x2x3xi32>
// wrong (blocks half as long): dense<[[[36, -215, -30], [511, -732, -93]], [[3454, -2260, 1984], [-1226, 656, -644]]]> : tensor<2x2x3xi32>
// wrong (blocks twice as long): dense<[[[-8, -28, -8], [27, -39, -27]], [[32, 2, 70], [50, -40, 52]]]> : tensor<2x2x3xi32>
module {
  func.func @main(%arg0: tensor<2x2x4x!quant.uniform<i8:f32:{0:1, 2:2}, {{{0.5, 0.25}}, {{2.0, 0.75}}}>>, %arg1: tensor<2x4x3x!quant.uniform<i8:f32:{0:1, 1:2}, {{{0.125}, {3.0}}, {{0.0625}, {5.0}}}>>) -> tensor<2x2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x2x4x!quant.uniform<i8:f32:{0:1, 2:2}, {{{0.5, 0.25}}, {{2.0, 0.75}}}>>, tensor<2x4x3x!quant.uniform<i8:f32:{0:1, 1:2}, {{{0.125}, {3.0}}, {{0.0625}, {5.0}}}>>) -> tensor<2x2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
