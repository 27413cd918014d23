// clause: dot_general: products of dequantized elements, each with its block's parameters
// Weights in bf16: products and sums are rounded to it.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-4.0, -4.0, -2.0, 3.0], [-0.5, -3.0, 0.5, 1.0]]> : tensor<2x4xbf16>
// args: dense<[[-7, -8, -1], [7, 0, -8], [6, -6, -6], [-6, 7, 0]]> : tensor<4x3xi4>
// expect: dense<[[-22.5, 57.5, 73.5], [-11.0, 7.0, 48.5]]> : tensor<2x3xbf16>
// wrong (scales per block left out): dense<[[-3.0e+01, 65.0, 48.0], [-20.5, 8.0, 21.5]]> : tensor<2x3xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[-15.0, 56.25, 28.5], [-14.625, 7.0, -2.9375]]> : tensor<2x3xbf16>
// wrong (blocks half as long): dense<[[-26.5, 42.5, 36.0], [-17.0, 10.75, -2.0]]> : tensor<2x3xbf16>
// wrong (blocks twice as long): dense<[[-15.0, 16.25, 96.0], [-10.25, 2.0, 43.0]]> : tensor<2x3xbf16>
module {
  func.func @main(%arg0: tensor<2x4xbf16>, %arg1: tensor<4x3x!quant.uniform<i4:bf16:{0:2, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>) -> tensor<2x3xbf16> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xbf16>, tensor<4x3x!quant.uniform<i4:bf16:{0:2, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>) -> tensor<2x3xbf16>
    func.return %r : tensor<2x3xbf16>
  }
}
