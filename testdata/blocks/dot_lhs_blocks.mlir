// clause: dot_general: products of dequantized elements, each with its block's parameters
// Activations by blocks, weights of one scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-4, -1, 2, 2], [6, 3, -6, -2]]> : tensor<2x4xi8>
// args: dense<[[4, -3, -1], [5, -6, -7], [7, 2, -3], [5, -5, -6]]> : tensor<4x3xi8>
// expect: dense<[[150, -12, -122], [-338, -88, 186]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[12, 48, -28], [-52, -152, 12]]> : tensor<2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[-120, 132, 52], [208, -292, -156]]> : tensor<2x3xi32>
// wrong (blocks half as long): dense<[[36, 0, -44], [4, -124, -48]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[6, 24, -14], [-26, -76, 6]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 2.0}}>>, %arg1: tensor<4x3x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 2.0}}>>, tensor<4x3x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
