// clause: dot_general: products of dequantized elements, each with its block's parameters
// Weights N by K: the last dimension is contracted.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-1.0, -1.0, -4.0, 0.25], [-2.0, -1.0, 0.25, -2.0]]> : tensor<2x4xf32>
// args: dense<[[5, 0, 4, -4], [7, 2, -6, 0], [-7, -3, 5, -6]]> : tensor<3x4xi4>
// expect: dense<[[-6.75, 0.0, 12.3125], [-2.75, -33.125, 27.15625]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-22.0, 15.0, -11.5], [-1.0, -17.5, 30.25]]> : tensor<2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-9.75, 41.25, -31.0], [2.0, -15.0, 22.0]]> : tensor<2x3xf32>
// wrong (blocks half as long): dense<[[-10.75, 32.5, -19.3125], [-2.5, -32.5, 24.75]]> : tensor<2x3xf32>
// wrong (blocks twice as long): dense<[[-11.0, 3.0e+01, -17.25], [-0.5, -35.0, 45.375]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<3x4x!quant.uniform<i4:f32:{0:1, 1:2}, {{0.5, 0.25}, {2.0, 0.75}, {1.5, 0.125}}>>) -> tensor<2x3xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x4xf32>, tensor<3x4x!quant.uniform<i4:f32:{0:1, 1:2}, {{0.5, 0.25}, {2.0, 0.75}, {1.5, 0.125}}>>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
