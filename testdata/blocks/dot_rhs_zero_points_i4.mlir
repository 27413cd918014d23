// clause: dot_general: products of dequantized elements, each with its block's parameters
// Zero points of the weights' blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-8, -6, 0, -6], [3, 5, -5, -2]]> : tensor<2x4xi4>
// args: dense<[[4, 3, 1], [5, -6, -7], [7, -2, 3], [6, -2, 2]]> : tensor<4x3xi4>
// expect: dense<[[-654, -38, 1801], [-406, -16, -315]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[-1056, -152, 968], [-520, -64, -120]]> : tensor<2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[-666, -228, 256], [-244, -96, 60]]> : tensor<2x3xi32>
// wrong (blocks half as long): dense<[[-690, 322, 451], [-294, -96, -15]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[-528, -38, 1936], [-260, -16, -240]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i4:f32, 0.5:3>>, %arg1: tensor<4x3x!quant.uniform<i4:f32:{0:2, 1:1}, {{0.5:1, 0.25:-2, 2.0:3}, {0.75:1, 1.5:-2, 0.125:3}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i4:f32, 0.5:3>>, tensor<4x3x!quant.uniform<i4:f32:{0:2, 1:1}, {{0.5:1, 0.25:-2, 2.0:3}, {0.75:1, 1.5:-2, 0.125:3}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
