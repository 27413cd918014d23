// clause: dot_general: products of dequantized elements, each with its block's parameters
// Batches; both sides have blocks along the contracted dimension.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-1, -2, -3, 2], [-2, 4, 2, -1]], [[4, 7, 7, -8], [-8, 5, -1, 1]]]> : tensor<2x2x4xi8>
// args: dense<[[[-2, 4, -6], [-3, -4, -7], [-8, -5, -5], [-3, 3, -4]], [[-8, -8, -7], [-4, -7, -6], [-7, -6, 3], [-2, -6, 4]]]> : tensor<2x4x3xi8>
// expect: dense<[[[880, 1016, 376], [-640, -672, -320]], [[-1704, 126, -668], [328, 58, 100]]]> : tensor<2x2x3xi32>
// wrong (scales per block left out): dense<[[[416, 400, 432], [-336, -592, -352]], [[-1488, -1200, -1296], [784, 464, 432]]]> : tensor<2x2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[[420, 234, 974], [-410, -1178, -780]], [[-2946, -3876, -3382], [2122, 1392, 1250]]]> : tensor<2x2x3xi32>
// wrong (blocks half as long): dense<[[[52, 694, 330], [-456, -948, -1148]], [[-738, -196, -3566], [-914, -1828, -1142]]]> : tensor<2x2x3xi32>
// wrong (blocks twice as long): dense<[[[52, 50, 54], [-42, -74, -44]], [[-186, -150, -162], [98, 58, 54]]]> : tensor<2x2x3xi32>
module {
  func.func @main(%arg0: tensor<2x2x4x!quant.uniform<i8:f32:{2:2}, {{{0.5, 2.0}}}>>, %arg1: tensor<2x4x3x!quant.uniform<i8:f32:{1:2}, {{{0.25}, {1.5}}}>>) -> tensor<2x2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x2x4x!quant.uniform<i8:f32:{2:2}, {{{0.5, 2.0}}}>>, tensor<2x4x3x!quant.uniform<i8:f32:{1:2}, {{{0.25}, {1.5}}}>>) -> tensor<2x2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
