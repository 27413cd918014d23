// clause: dot_general: products of dequantized elements, each with its block's parameters
// Results saturate in one block and not in the other.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-5, -6, -4, 0], [4, 0, -8, -7]]> : tensor<2x4xi8>
// args: dense<[[3, 6, 7], [-1, -3, -8], [-7, -7, -8], [4, -3, -1]]> : tensor<4x3xi8>
// expect: dense<[[127, -128, 127], [14, 4, 62]]> : tensor<2x3xi8>
// wrong (rounded toward zero; rounded down): dense<[[127, -128, 127], [14, 3, 61]]> : tensor<2x3xi8>
// wrong (wrapped instead of saturated): dense<[[-45, -113, 20], [14, 4, 62]]> : tensor<2x3xi8>
// wrong (scales per block left out): dense<[[11, 18, 38], [22, 61, 64]]> : tensor<2x3xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-2, 11, 11], [127, 127, 127]]> : tensor<2x3xi8>
// wrong (blocks half as long): dense<[[127, 127, 127], [-6, 16, 23]]> : tensor<2x3xi8>
// wrong (blocks twice as long): dense<[[127, 127, 127], [127, 127, 127]]> : tensor<2x3xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<i8:f32:{0:1}, {{0.001}, {4.0}}>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<i8:f32:{0:1}, {{0.001}, {4.0}}>>
    func.return %r : tensor<2x3x!quant.uniform<i8:f32:{0:1}, {{0.001}, {4.0}}>>
  }
}
