// clause: dot_general: products of dequantized elements, each with its block's parameters
// Three blocks: the neighbour of the last is not the first.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-4.0, -2.0, 2.0, 1.0, 0.25, 3.0], [-2.0, 2.0, 2.0, 1.0, 3.0, -0.5]]> : tensor<2x6xf32>
// args: dense<[[-4, -4], [-8, -8], [-5, -4], [5, -2], [-2, -8], [0, -2]]> : tensor<6x2xi8>
// expect: dense<[[5.875, -6.0], [-15.5, -29.75]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[26.5, 14.0], [-19.0, -41.0]]> : tensor<2x2xf32>
// wrong (scale of the next block): dense<[[62.5, 57.5], [-20.25, -3.0e+01]]> : tensor<2x2xf32>
// wrong (scale of the block before): dense<[[4.5, -13.0], [-16.5, -53.0]]> : tensor<2x2xf32>
// wrong (blocks half as long): dense<[[39.0, 31.5], [-4.0e+01, -78.75]]> : tensor<2x2xf32>
// wrong (blocks twice as long): dense<[[12.5, -5.0], [-18.5, -55.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x6xf32>, %arg1: tensor<6x2x!quant.uniform<i8:f32:{0:2}, {{0.5}, {2.0}, {0.25}}>>) -> tensor<2x2xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x6xf32>, tensor<6x2x!quant.uniform<i8:f32:{0:2}, {{0.5}, {2.0}, {0.25}}>>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
