// clause: dot_general: products of dequantized elements, each with its block's parameters
// The batch is the last dimension of the weights.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[6, -4, -7, 3], [2, -4, 6, 2]], [[-3, 6, 6, 0], [-1, -4, 2, 6]]]> : tensor<2x2x4xi8>
// args: dense<[[[-1, -2], [0, 1], [-4, -4]], [[-1, 2], [3, -3], [-1, 2]], [[-2, 0], [-5, -3], [-5, -2]], [[4, -4], [-4, 1], [1, 5]]]> : tensor<4x3x2xi8>
// expect: dense<[[[1656, 1424, 2352], [-248, -2480, -1808]], [[36, -474, -240], [-588, 22, 616]]]> : tensor<2x2x3xi32>
// wrong (scales per block left out): dense<[[[384, 176, 288], [-32, -800, -512]], [[288, -624, 192], [-480, 176, 352]]]> : tensor<2x2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[[-24, -676, -1128], [112, -920, -368]], [[432, -540, 552], [-192, 264, -44]]]> : tensor<2x2x3xi32>
// wrong (blocks half as long): dense<[[[1056, -1396, 492], [712, -1400, 232]], [[300, -474, 288], [-764, 418, 528]]]> : tensor<2x2x3xi32>
// wrong (blocks twice as long): dense<[[[96, 44, 72], [-8, -200, -128]], [[36, -78, 24], [-60, 22, 44]]]> : tensor<2x2x3xi32>
module {
  func.func @main(%arg0: tensor<2x2x4x!quant.uniform<i8:f32:{2:2}, {{{0.5, 2.0}}}>>, %arg1: tensor<4x3x2x!quant.uniform<i8:f32:{0:2, 2:1}, {{{0.5, 0.25}}, {{2.0, 0.75}}}>>) -> tensor<2x2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>} : (tensor<2x2x4x!quant.uniform<i8:f32:{2:2}, {{{0.5, 2.0}}}>>, tensor<4x3x2x!quant.uniform<i8:f32:{0:2, 2:1}, {{{0.5, 0.25}}, {{2.0, 0.75}}}>>) -> tensor<2x2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
