// clause: dot_general: products of dequantized elements, each with its block's parameters
// A zero point for each block, which (C15) forbids for other types (E49).
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.5, -4.0, 0.25, -3.0], [1.0, -0.5, 2.0, 1.5]]> : tensor<2x4xf32>
// args: dense<[[102, 141, 231], [244, 126, 132], [103, 229, 70], [213, 62, 200]]> : tensor<4x3xui8>
// expect: dense<[[-505.1875, 261.75, 839.1875], [89.625, 174.0, 1.3e+02]]> : tensor<2x3xf32>
// wrong (unsigned storage read as signed, as StableHLO's passes; unsigned storage read and saturated as signed): dense<[[582.8125, 69.75, 2215.1875], [-134.375, -658.0, -174.0]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-841.25, -69.25, -126.5], [91.5, 181.0, 477.5]]> : tensor<2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-546.375, -382.9375, -1108.0], [24.75, 142.75, 884.6875]]> : tensor<2x3xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-482.4375, -186.25, -348.15625], [23.125, 8.3e+02, 273.4375]]> : tensor<2x3xf32>
// wrong (blocks half as long): dense<[[-708.875, 376.1875, -305.5], [35.125, 2.75, -758.75]]> : tensor<2x3xf32>
// wrong (blocks twice as long): dense<[[-382.125, -105.3125, 1149.5], [-3.25, 157.25, -8.3e+02]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x3x!quant.uniform<u8:f32:{0:2, 1:1}, {{0.5:128, 0.25, 2.0:255}, {0.75:100, 1.5:128, 0.125}}>>) -> tensor<2x3xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x3x!quant.uniform<u8:f32:{0:2, 1:1}, {{0.5:128, 0.25, 2.0:255}, {0.75:100, 1.5:128, 0.125}}>>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
