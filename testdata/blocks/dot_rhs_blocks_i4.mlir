// clause: dot_general: products of dequantized elements, each with its block's parameters
// Activations of one scale, weights by blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-7, -3, 4, 6], [2, -5, -6, -3]]> : tensor<2x4xi4>
// args: dense<[[2, -2, -3], [6, -7, 1], [4, 3, 2], [6, -3, -5]]> : tensor<4x3xi4>
// expect: dense<[[-92, 52, 371], [-632, 8, -68]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[-272, 448, 88], [-976, 392, 56]]> : tensor<2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[-248, 732, -184], [-588, 678, 187]]> : tensor<2x3xi32>
// wrong (blocks half as long): dense<[[-172, 442, 491], [-656, 838, -218]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[-136, 112, 176], [-488, 98, 112]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i4:f32, 0.5:3>>, %arg1: tensor<4x3x!quant.uniform<i4:f32:{0:2, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i4:f32, 0.5:3>>, tensor<4x3x!quant.uniform<i4:f32:{0:2, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
