// clause: dot_general: products of dequantized elements, each with its block's parameters
// NaN times a weight of any block is NaN.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.0, 2.0, 0x7FC00000, 3.0], [1.0, 2.0, 3.0, 4.0]]> : tensor<2x4xf32>
// args: dense<[[-5], [-1], [-5], [-6]]> : tensor<4x1xi8>
// expect: dense<[[0x7FC00000], [-13.25]]> : tensor<2x1xf32>
// wrong (scales per block left out): dense<[[0x7FC00000], [-46.0]]> : tensor<2x1xf32>
// wrong (scale of the next block; scale of the block before): dense<[[0x7FC00000], [-21.25]]> : tensor<2x1xf32>
// wrong (blocks half as long): dense<[[0x7FC00000], [-16.5]]> : tensor<2x1xf32>
// wrong (blocks twice as long): dense<[[0x7FC00000], [-23.0]]> : tensor<2x1xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x1x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25}}>>) -> tensor<2x1xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x1x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25}}>>) -> tensor<2x1xf32>
    func.return %r : tensor<2x1xf32>
  }
}
