// clause: dot_general: products of dequantized elements, each with its block's parameters
// A scale for each block of each column, as of int4 weights by groups.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[4.0, 0.25, -1.5, -3.0], [2.0, -1.0, 1.5, 1.0]]> : tensor<2x4xf32>
// args: dense<[[2, 6, 1], [-6, -5, 5], [-3, 2, -4], [7, 5, -7]]> : tensor<4x3xi8>
// expect: dense<[[-9.125, -21.3125, 13.875], [6.875, 16.25, -7.625]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-1.0e+01, 4.75, 32.25], [12.5, 25.0, -16.0]]> : tensor<2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-3.375, 29.625, 54.65625], [8.75, 27.5, -26.375]]> : tensor<2x3xf32>
// wrong (blocks half as long): dense<[[-10.625, -19.125, 22.78125], [9.5, 18.75, -9.5]]> : tensor<2x3xf32>
// wrong (blocks twice as long): dense<[[-5.0, 1.1875, 64.5], [6.25, 6.25, -32.0]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>) -> tensor<2x3xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
