// clause: dot_general: products of dequantized elements, each with its block's parameters
// Activations of one scale, weights by blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[3, 7, -8, 5], [-1, 4, -7, 4]]> : tensor<2x4xi8>
// args: dense<[[-7, 6, -6], [-7, 0, -2], [-6, 2, 3], [0, 2, -7]]> : tensor<4x3xi8>
// expect: dense<[[284, -216, -175], [444, -264, 315]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[304, -144, -440], [648, -336, -120]]> : tensor<2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[96, -36, -760], [366, -324, -570]]> : tensor<2x3xi32>
// wrong (blocks half as long): dense<[[96, 4, -550], [310, -64, -105]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[152, -36, -880], [324, -84, -240]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
