// clause: dot_general: products of dequantized elements, each with its block's parameters
// Three blocks: the neighbour of the last is not the first.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[3.0, -0.5, 0.25, 3.0, -3.0, 3.0], [-3.0, 0.5, 0.25, 4.0, 0.25, -1.5]]> : tensor<2x6xf32>
// args: dense<[[7, -3], [5, 2], [-6, 4], [6, 4], [-6, -3], [-3, -4]]> : tensor<6x2xi4>
// expect: dense<[[44.5, 20.25], [36.5, 40.3125]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[44.0, 0.0], [7.0, 32.25]]> : tensor<2x2xf32>
// wrong (scale of the next block): dense<[[45.625, -18.25], [-29.875, 26.875]]> : tensor<2x2xf32>
// wrong (scale of the block before): dense<[[30.875, -2.0], [12.625, 21.5]]> : tensor<2x2xf32>
// wrong (blocks half as long): dense<[[47.875, 14.75], [4.25, 14.75]]> : tensor<2x2xf32>
// wrong (blocks twice as long): dense<[[35.5, -4.5], [8.0, 24.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x6xf32>, %arg1: tensor<6x2x!quant.uniform<i4:f32:{0:2}, {{0.5}, {2.0}, {0.25}}>>) -> tensor<2x2xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x6xf32>, tensor<6x2x!quant.uniform<i4:f32:{0:2}, {{0.5}, {2.0}, {0.25}}>>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
