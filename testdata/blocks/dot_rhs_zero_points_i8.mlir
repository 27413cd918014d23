// clause: dot_general: products of dequantized elements, each with its block's parameters
// Zero points of the weights' blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0, 2, 0, 1], [-8, -6, -8, -1]]> : tensor<2x4xi8>
// args: dense<[[-5, 7, 6], [4, 0, 5], [7, -4, 7], [-3, -8, 1]]> : tensor<4x3xi8>
// expect: dense<[[0, 158, -184], [-144, 318, -852]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[40, -88, -152], [-88, -568, -696]]> : tensor<2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[50, -312, -139], [34, -1312, -627]]> : tensor<2x3xi32>
// wrong (blocks half as long): dense<[[30, 78, -334], [-66, -82, -1242]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[20, -22, -304], [-44, -142, -1392]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.5:1, 0.25:-2, 2.0:3}, {0.75:1, 1.5:-2, 0.125:3}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.5:1, 0.25:-2, 2.0:3}, {0.75:1, 1.5:-2, 0.125:3}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
