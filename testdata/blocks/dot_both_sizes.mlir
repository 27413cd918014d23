// clause: dot_general: products of dequantized elements, each with its block's parameters
// Blocks of 4 on the left, of 2 on the right.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[7, -6, 5, -5], [4, -4, -6, -3]]> : tensor<2x4xi8>
// args: dense<[[4, 0, 5], [1, 1, 5], [-7, 1, 3], [5, 5, -8]]> : tensor<4x3xi8>
// expect: dense<[[-1308, -82, 2205], [720, -58, 240]]> : tensor<2x3xi32>
// wrong (ties rounded away from zero; rounded down): dense<[[-1308, -82, 2205], [720, -59, 240]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[-608, -416, 960], [624, -400, 96]]> : tensor<2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[168, -243, 255], [450, -254, 6]]> : tensor<2x3xi32>
// wrong (blocks half as long): dense<[[-786, 44, 450], [-108, -82, 162]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[-228, -312, 60], [234, -300, 6]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:4}, {{0.5}}>>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32:{1:4}, {{0.5}}>>, tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
