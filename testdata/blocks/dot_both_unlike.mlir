// clause: dot_general: products of dequantized elements, each with its block's parameters
// Blocks of 3 and of 2 along 6 elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-6, 3, -3, -4, 3, 1], [-3, -3, -6, -5, 4, 7]]> : tensor<2x6xi8>
// args: dense<[[-2, 1, -4], [-7, 7, 2], [-7, 4, -6], [-3, -1, 4], [-2, 7, -3], [-2, -7, 4]]> : tensor<6x3xi8>
// expect: dense<[[778, 134, -512], [1190, -180, -452]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[256, 336, 432], [992, -1024, 608]]> : tensor<2x3xi32>
// wrong (scale of the next block): dense<[[-352, 704, 1486], [1435, -1285, 444]]> : tensor<2x3xi32>
// wrong (scale of the block before): dense<[[60, 140, 172], [210, -530, 464]]> : tensor<2x3xi32>
// wrong (blocks half as long): dense<[[-407, 1240, -406], [-14, 906, -636]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[-48, 182, 4], [-96, -338, 236]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x6x!quant.uniform<i8:f32:{1:3}, {{0.5, 2.0}}>>, %arg1: tensor<6x3x!quant.uniform<i8:f32:{0:2}, {{0.25}, {1.5}, {0.125}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x6x!quant.uniform<i8:f32:{1:3}, {{0.5, 2.0}}>>, tensor<6x3x!quant.uniform<i8:f32:{0:2}, {{0.25}, {1.5}, {0.125}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
