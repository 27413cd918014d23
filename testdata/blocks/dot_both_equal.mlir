// clause: dot_general: products of dequantized elements, each with its block's parameters
// Blocks of 2 on both sides.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-2, -7, 3, 2], [-4, -7, -2, 0]]> : tensor<2x4xi8>
// args: dense<[[-7, -2, -8], [2, 5, 3], [-3, 1, -6], [-2, -7, 7]]> : tensor<4x3xi8>
// expect: dense<[[-1248, -394, -645], [660, -328, 1931]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[-208, -672, -144], [320, -464, 368]]> : tensor<2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[-78, -194, -804], [1380, -78, 1772]]> : tensor<2x3xi32>
// wrong (blocks half as long): dense<[[-1698, -14, -1122], [-1140, 2, -3316]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[-78, -504, -9], [120, -348, 23]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 2.0}}>>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 2.0}}>>, tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
