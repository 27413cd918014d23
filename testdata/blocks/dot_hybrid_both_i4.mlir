// clause: dot_general: products of dequantized elements, each with its block's parameters
// Blocks along both dimensions of the weights.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[4.0, -2.0, 1.5, -4.0], [-1.5, 1.5, -0.5, -2.0]]> : tensor<2x4xf32>
// args: dense<[[-8, 1, -6, 0], [3, -3, 3, -1], [2, -1, -2, -1], [4, -1, -2, 7]]> : tensor<4x4xi4>
// expect: dense<[[-45.0, 1.0e+01, -3.75, -21.625], [-9.75, 2.0, 7.125, -10.5]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[-51.0, 12.5, -25.0, -27.5], [7.5, -3.5, 18.5, -15.0]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-19.25, 4.375, -5.0, -58.0], [-2.625, 0.375, 16.75, -27.75]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[-45.0, 4.375, -5.0, -21.625], [-9.75, 0.375, 16.75, -10.5]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[-45.0, 1.0e+01, -5.0, -58.0], [-9.75, 2.0, 16.75, -27.75]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x4x!quant.uniform<i4:f32:{0:2, 1:2}, {{0.5, 0.25}, {2.0, 0.75}}>>) -> tensor<2x4xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x4x!quant.uniform<i4:f32:{0:2, 1:2}, {{0.5, 0.25}, {2.0, 0.75}}>>) -> tensor<2x4xf32>
    func.return %r : tensor<2x4xf32>
  }
}
