// clause: dot_general: products of dequantized elements, each with its block's parameters
// Activations with a scale per row.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0, -6, -2, -5], [5, 7, 6, -3]]> : tensor<2x4xi8>
// args: dense<[[-1, -4, 5], [6, -1, -5], [1, 1, 0], [0, 3, 0]]> : tensor<4x3xi8>
// expect: dense<[[-76, -22, 60], [344, -240, -80]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[-152, -44, 120], [172, -120, -40]]> : tensor<2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[-304, -88, 240], [86, -60, -20]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[-76, -22, 60], [86, -60, -20]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{0.5}, {2.0}}>>, %arg1: tensor<4x3x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{0.5}, {2.0}}>>, tensor<4x3x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
