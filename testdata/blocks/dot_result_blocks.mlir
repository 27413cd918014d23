// clause: dot_general: products of dequantized elements, each with its block's parameters
// A blocked result: each element is quantized with its block's parameters.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[2, 4, -3, 0], [-5, -7, 3, 6]]> : tensor<2x4xi8>
// args: dense<[[-5, 0, 4], [3, 0, 4], [3, -4, 3], [2, -6, 6]]> : tensor<4x3xi8>
// expect: dense<[[-63, 6, -128], [-1, -7, 13]]> : tensor<2x3xi8>
// wrong (rounded toward zero): dense<[[-63, 5, -128], [0, -7, 13]]> : tensor<2x3xi8>
// wrong (rounded down): dense<[[-63, 5, -128], [-1, -8, 13]]> : tensor<2x3xi8>
// wrong (wrapped instead of saturated): dense<[[-63, 6, 79], [-1, -7, 13]]> : tensor<2x3xi8>
// wrong (scales per block left out): dense<[[-5, 24, -15], [1, -16, -34]]> : tensor<2x3xi8>
// wrong (scale of the next block; scale of the block before): dense<[[4, 19, 2], [28, -34, -128]]> : tensor<2x3xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-73, -4, -128], [9, 3, 23]]> : tensor<2x3xi8>
// wrong (blocks half as long): dense<[[-16, 40, -70], [-18, -7, -36]]> : tensor<2x3xi8>
// wrong (blocks twice as long): dense<[[-9, 66, -2], [15, -24, -4]]> : tensor<2x3xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<i8:f32:{0:1}, {{0.5:3}, {2.0:-7}}>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<i8:f32:{0:1}, {{0.5:3}, {2.0:-7}}>>
    func.return %r : tensor<2x3x!quant.uniform<i8:f32:{0:1}, {{0.5:3}, {2.0:-7}}>>
  }
}
