// clause: dot_general: products of dequantized elements, each with its block's parameters
// Weights of one block are subnormal numbers.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.0, 2.0, 0.0, 0.0]]> : tensor<1x4xf32>
// args: dense<[[2, 6], [6, -8], [4, 2], [1, -6]]> : tensor<4x2xi8>
// expect: dense<[[5.9e-44, -4.2e-44]]> : tensor<1x2xf32>
// wrong (scales per block left out; scale of the next block; scale of the block before): dense<[[14.0, -1.0e+01]]> : tensor<1x2xf32>
// wrong (blocks half as long): dense<[[12.0, -16.0]]> : tensor<1x2xf32>
module {
  func.func @main(%arg0: tensor<1x4xf32>, %arg1: tensor<4x2x!quant.uniform<i8:f32:{0:2}, {{4.20389539297445121e-45}, {1.0}}>>) -> tensor<1x2xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<1x4xf32>, tensor<4x2x!quant.uniform<i8:f32:{0:2}, {{4.20389539297445121e-45}, {1.0}}>>) -> tensor<1x2xf32>
    func.return %r : tensor<1x2xf32>
  }
}
