// clause: dot_general: products of dequantized elements, each with its block's parameters
// Blocks of one on both sides.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[6, 6, -3, -8], [-8, 7, 6, -1]]> : tensor<2x4xi8>
// args: dense<[[6, 6, -3], [7, 4, -5], [-6, -4, 3], [5, 3, -6]]> : tensor<4x3xi8>
// expect: dense<[[1818, -912, -1239], [-5688, -288, 5468]]> : tensor<2x3xi32>
// wrong (ties rounded away from zero): dense<[[1818, -912, -1239], [-5688, -288, 5469]]> : tensor<2x3xi32>
// wrong (rounded down): dense<[[1818, -912, -1239], [-5689, -288, 5468]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[896, 768, -144], [-640, -752, 208]]> : tensor<2x3xi32>
// wrong (scale of the next block): dense<[[786, 936, -936], [3022, -207, -1128]]> : tensor<2x3xi32>
// wrong (scale of the block before): dense<[[146, 216, 5728], [-519, 282, -100]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[552, 396, 370], [86, -218, -1066]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0, 0.75}, {1.5, 0.125, 3.0, 0.0625}}>>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}, {0.375, 4.0, 0.875}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0, 0.75}, {1.5, 0.125, 3.0, 0.0625}}>>, tensor<4x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}, {0.375, 4.0, 0.875}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
