// clause: dot_general: products of dequantized elements, each with its block's parameters
// A zero point for each block, which (C15) forbids for other types (E49).
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.0, -0.5, -3.0, 3.0], [-1.5, 0.5, -3.0, -1.5]]> : tensor<2x4xf32>
// args: dense<[[0, -2, -1], [0, -1, 0], [-1, 1, -1], [-2, 1, 1]]> : tensor<4x3xi2>
// expect: dense<[[-2.5, -0.375, 0.75], [8.375, -6.125, -1.9375]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-3.5, -1.5, 6.0], [11.5, -2.0, -8.0]]> : tensor<2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-1.875, -2.25, 12.0], [6.0, 2.625, -15.0625]]> : tensor<2x3xf32>
// wrong (blocks half as long): dense<[[-3.875, 4.0, -3.0], [6.75, -3.0, -9.4375]]> : tensor<2x3xf32>
// wrong (blocks twice as long): dense<[[-1.75, -0.375, 12.0], [5.75, -0.5, -16.0]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x3x!quant.uniform<i2:f32:{0:2, 1:1}, {{0.5:1, 0.25, 2.0:-2}, {0.75:1, 1.5, 0.125:-2}}>>) -> tensor<2x3xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x3x!quant.uniform<i2:f32:{0:2, 1:1}, {{0.5:1, 0.25, 2.0:-2}, {0.75:1, 1.5, 0.125:-2}}>>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
