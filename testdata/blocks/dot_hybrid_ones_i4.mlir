// clause: dot_general: products of dequantized elements, each with its block's parameters
// Every weight has its own scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[3.0, 0.5, -1.5, -2.0], [-3.0, -2.0, -2.0, -1.5]]> : tensor<2x4xf32>
// args: dense<[[-1, -8], [7, -3], [0, 1], [-8, -4]]> : tensor<4x2xi4>
// expect: dense<[[53.5, -6.8125], [9.5, 10.625]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[16.5, -19.0], [1.0, 34.0]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[2.875, 6.75], [-9.0, 39.0]]> : tensor<2x2xf32>
// wrong (blocks twice as long): dense<[[53.5, 6.75], [9.5, 39.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x2x!quant.uniform<i4:f32:{0:1, 1:1}, {{0.5, 0.25}, {2.0, 0.75}, {1.5, 0.125}, {3.0, 0.0625}}>>) -> tensor<2x2xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x2x!quant.uniform<i4:f32:{0:1, 1:1}, {{0.5, 0.25}, {2.0, 0.75}, {1.5, 0.125}, {3.0, 0.0625}}>>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
