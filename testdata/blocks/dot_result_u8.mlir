// clause: dot_general: products of dequantized elements, each with its block's parameters
// A result in u8.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[6, -3, -1, -5], [0, -1, -7, -5]]> : tensor<2x4xi8>
// args: dense<[[2, 0, -7], [0, 5, 0], [1, -2, -6], [-8, -3, 0]]> : tensor<4x3xi8>
// expect: dense<[[247, 123, 157], [227, 128, 255]]> : tensor<2x3xui8>
// wrong (rounded toward zero; rounded down): dense<[[247, 123, 156], [227, 127, 255]]> : tensor<2x3xui8>
// wrong (wrapped instead of saturated): dense<[[247, 123, 157], [227, 128, 82]]> : tensor<2x3xui8>
// wrong (unsigned storage read and saturated as signed): dense<[[127, 123, 127], [127, 127, 127]]> : tensor<2x3xui8>
// wrong (scales per block left out): dense<[[154, 129, 110], [144, 140, 149]]> : tensor<2x3xui8>
// wrong (scale of the next block; scale of the block before): dense<[[171, 133, 0], [134, 139, 129]]> : tensor<2x3xui8>
// wrong (blocks half as long): dense<[[250, 129, 127], [247, 134, 129]]> : tensor<2x3xui8>
// wrong (blocks twice as long): dense<[[138, 129, 127], [134, 137, 129]]> : tensor<2x3xui8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 2.0}}>>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<u8:f32, 2.0:128>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 2.0}}>>, tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.75, 1.5, 0.125}, {3.0, 0.0625, 5.0}}>>) -> tensor<2x3x!quant.uniform<u8:f32, 2.0:128>>
    func.return %r : tensor<2x3x!quant.uniform<u8:f32, 2.0:128>>
  }
}
