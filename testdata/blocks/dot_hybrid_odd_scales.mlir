// clause: dot_general: products of dequantized elements, each with its block's parameters
// Scales that f32 does not hold: every weight is rounded before it is multiplied.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-2.0, 3.0, -1.5, -2.0], [4.0, 0.5, 1.5, 0.5]]> : tensor<2x4xf32>
// args: dense<[[2, 5], [-2, 3], [2, -6], [3, -8]]> : tensor<4x2xi4>
// expect: dense<[[-3.7000003, 31.8], [2.05, -1.8499994]]> : tensor<2x2xf32>
// permitted (balanced): dense<[[-3.7, 31.8], [2.05, -1.8499994]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-19.0, 24.0], [11.5, 8.5]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-3.9, 16.199999], [2.5500002, 18.850002]]> : tensor<2x2xf32>
// wrong (blocks half as long): dense<[[-4.3, 31.8], [1.25, 4.45]]> : tensor<2x2xf32>
// wrong (blocks twice as long): dense<[[-1.9, 16.8], [1.15, 5.95]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x2x!quant.uniform<i4:f32:{0:2, 1:1}, {{0.1, 0.7}, {0.3, 1.3}}>>) -> tensor<2x2xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x2x!quant.uniform<i4:f32:{0:2, 1:1}, {{0.1, 0.7}, {0.3, 1.3}}>>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
