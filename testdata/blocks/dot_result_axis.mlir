// clause: dot_general: products of dequantized elements, each with its block's parameters
// A result with a scale per column.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-8, -7, -8, 3], [1, -5, 3, -1]]> : tensor<2x4xi8>
// args: dense<[[5, 1, -4], [-2, 3, 7], [-3, -4, -8], [-1, -4, 6]]> : tensor<4x3xi8>
// expect: dense<[[73, -118, 55], [16, -76, -16]]> : tensor<2x3xi8>
// wrong (ties rounded away from zero): dense<[[73, -118, 55], [17, -76, -16]]> : tensor<2x3xi8>
// wrong (rounded toward zero): dense<[[72, -117, 54], [16, -76, -15]]> : tensor<2x3xi8>
// wrong (rounded down): dense<[[72, -118, 54], [16, -76, -16]]> : tensor<2x3xi8>
// wrong (scales per block left out): dense<[[-2, 6, 8], [10, -20, -9]]> : tensor<2x3xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-80, 127, -15], [21, 45, -30]]> : tensor<2x3xi8>
// wrong (blocks half as long): dense<[[44, 95, -42], [52, -7, -50]]> : tensor<2x3xi8>
// wrong (blocks twice as long): dense<[[-2, 9, 1], [8, -30, -1]]> : tensor<2x3xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.5,0.25,4.0}>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.5,0.25,4.0}>>
    func.return %r : tensor<2x3x!quant.uniform<i8:f32:1, {0.5,0.25,4.0}>>
  }
}
