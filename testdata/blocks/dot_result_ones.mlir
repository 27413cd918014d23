// clause: dot_general: products of dequantized elements, each with its block's parameters
// A result of blocks of one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-1, -3, -7, 1], [0, 1, 2, -8]]> : tensor<2x4xi8>
// args: dense<[[-7, -1, -4], [1, 5, 5], [3, -7, -4], [7, -1, -7]]> : tensor<4x3xi8>
// expect: dense<[[1, -4, 8], [-13, 3, 5]]> : tensor<2x3xi8>
// wrong (rounded toward zero): dense<[[1, -4, 7], [-13, 2, 5]]> : tensor<2x3xi8>
// wrong (rounded down): dense<[[1, -5, 7], [-14, 2, 5]]> : tensor<2x3xi8>
// wrong (scales per block left out): dense<[[0, 2, 6], [-19, 3, 6]]> : tensor<2x3xi8>
// wrong (scale of the next block): dense<[[3, -8, 2], [-8, 4, -5]]> : tensor<2x3xi8>
// wrong (scale of the block before): dense<[[3, -7, 3], [-10, 3, -6]]> : tensor<2x3xi8>
// wrong (zero point of the next block): dense<[[-9, 6, 8], [-3, -7, 5]]> : tensor<2x3xi8>
// wrong (zero point of the block before): dense<[[1, 6, -2], [-13, -7, 15]]> : tensor<2x3xi8>
// wrong (blocks half as long): dense<[[3, -7, 0], [-14, 4, 8]]> : tensor<2x3xi8>
// wrong (blocks twice as long): dense<[[3, 4, -7], [-9, -7, 4]]> : tensor<2x3xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 2.0}}>>, %arg1: tensor<4x3x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{4.0:3, 8.0:-7, 2.0:3}, {4.0:-7, 8.0:3, 2.0:-7}}>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 2.0}}>>, tensor<4x3x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{4.0:3, 8.0:-7, 2.0:3}, {4.0:-7, 8.0:3, 2.0:-7}}>>
    func.return %r : tensor<2x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{4.0:3, 8.0:-7, 2.0:3}, {4.0:-7, 8.0:3, 2.0:-7}}>>
  }
}
