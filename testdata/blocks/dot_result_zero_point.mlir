// clause: dot_general: products of dequantized elements, each with its block's parameters
// A result of one scale with a zero point.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-3, -7, -5, -8], [-2, -4, 5, -2]]> : tensor<2x4xi8>
// args: dense<[[5, -3, 1], [-6, 1, -7], [7, -8, 4], [5, 6, -6]]> : tensor<4x3xi8>
// expect: dense<[[-128, 11, 127], [89, 8, 127]]> : tensor<2x3xi8>
// wrong (zero point added after rounding, as ONNX; ties rounded away from zero): dense<[[-128, 11, 127], [89, 9, 127]]> : tensor<2x3xi8>
// wrong (rounded toward zero; rounded down): dense<[[-128, 11, 127], [88, 8, 127]]> : tensor<2x3xi8>
// wrong (wrapped instead of saturated): dense<[[47, 11, -104], [89, 8, -84]]> : tensor<2x3xi8>
// wrong (scales per block left out): dense<[[-13, 8, 48], [30, -14, 40]]> : tensor<2x3xi8>
// wrong (scale of the next block; scale of the block before): dense<[[78, 8, 127], [58, -8, 127]]> : tensor<2x3xi8>
// wrong (blocks half as long): dense<[[8, 26, 127], [58, -3, 127]]> : tensor<2x3xi8>
// wrong (blocks twice as long): dense<[[2, 9, 13], [18, -8, 13]]> : tensor<2x3xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 2.0}}>>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<i8:f32, 2.0:11>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 2.0}}>>, tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<i8:f32, 2.0:11>>
    func.return %r : tensor<2x3x!quant.uniform<i8:f32, 2.0:11>>
  }
}
