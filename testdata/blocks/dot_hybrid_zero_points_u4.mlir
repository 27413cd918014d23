// clause: dot_general: products of dequantized elements, each with its block's parameters
// A zero point for each block, which (C15) forbids for other types (E49).
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-1.0, 1.5, -1.5, 0.25], [2.0, -0.5, -1.0, 1.5]]> : tensor<2x4xf32>
// args: dense<[[13, 4, 1], [11, 14, 13], [4, 4, 0], [14, 5, 0]]> : tensor<4x3xui4>
// expect: dense<[[11.9375, 11.25, 38.09375], [11.375, -3.125, -9.4375]]> : tensor<2x3xf32>
// wrong (unsigned storage read as signed, as StableHLO's passes; unsigned storage read and saturated as signed): dense<[[4.9375, 5.25, -9.90625], [-18.625, -1.125, 6.5625]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[15.75, 18.75, 27.25], [18.0, -1.0e+01, -8.0]]> : tensor<2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[7.75, 21.5625, 19.8125], [11.125, -14.375, -7.5625]]> : tensor<2x3xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[3.625, 9.25, 3.0e+01], [8.75, -2.75, -3.0e+01]]> : tensor<2x3xf32>
// wrong (blocks half as long): dense<[[-4.1875, 14.25, -1.09375], [7.375, -12.0, 2.3125]]> : tensor<2x3xf32>
// wrong (blocks twice as long): dense<[[3.5, 4.375, 37.0], [10.75, -2.375, -9.0]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x3x!quant.uniform<u4:f32:{0:2, 1:1}, {{0.5:8, 0.25:7, 2.0}, {0.75:15, 1.5:8, 0.125:7}}>>) -> tensor<2x3xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x3x!quant.uniform<u4:f32:{0:2, 1:1}, {{0.5:8, 0.25:7, 2.0}, {0.75:15, 1.5:8, 0.125:7}}>>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
