// clause: dot_general: products of dequantized elements, each with its block's parameters
// Blocks of 1 on the left, of 2 on the right.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[3, -2, 4, 4], [-2, -8, 5, -3]]> : tensor<2x4xi8>
// args: dense<[[5, -5, -6], [4, 3, 6], [-3, -4, -8], [-7, -4, 4]]> : tensor<4x3xi8>
// expect: dense<[[-2262, -496, 1214], [504, -1019, -2420]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[-528, -848, -736], [-576, -352, -1408]]> : tensor<2x3xi32>
// wrong (scale of the next block): dense<[[960, -800, -3200], [-1488, -562, 828]]> : tensor<2x3xi32>
// wrong (scale of the block before): dense<[[516, -890, -2760], [-1785, -885, -646]]> : tensor<2x3xi32>
// wrong (blocks half as long): dense<[[-2730, -312, -34], [-1665, -30, -9128]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[-918, -1788, -94], [-108, -552, -244]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:1}, {{0.5, 2.0, 0.25, 1.5}}>>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32:{1:1}, {{0.5, 2.0, 0.25, 1.5}}>>, tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
