// clause: dot_general: products of dequantized elements, each with its block's parameters
// Every activation has its own scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-8, 7, -1, 6], [3, -7, 1, -1]]> : tensor<2x4xi8>
// args: dense<[[-5, -7, -2], [-2, -6, 3], [-3, 6, 0], [-8, -5, 3]]> : tensor<4x3xi8>
// expect: dense<[[-54, -68, 107], [-117, -32, -47]]> : tensor<2x3xi32>
// wrong (rounded toward zero): dense<[[-54, -68, 107], [-117, -31, -47]]> : tensor<2x3xi32>
// wrong (rounded down): dense<[[-54, -68, 107], [-117, -32, -48]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[-76, -88, 220], [16, 128, -120]]> : tensor<2x3xi32>
// wrong (scale of the next block): dense<[[-159, -358, 220], [208, 525, -273]]> : tensor<2x3xi32>
// wrong (scale of the block before): dense<[[-289, -162, 234], [175, 310, -164]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[7, -8, 92], [-4, 132, -164]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0, 0.75}, {1.5, 0.125, 3.0, 0.0625}}>>, %arg1: tensor<4x3x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0, 0.75}, {1.5, 0.125, 3.0, 0.0625}}>>, tensor<4x3x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
