// clause: dot_general: products of dequantized elements, each with its block's parameters
// Weights in f16.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0.25, -3.0, -1.0, -1.5], [4.0, 0.25, -1.5, -1.5]]> : tensor<2x4xf16>
// args: dense<[[6, 7, 4], [-6, 7, 1], [-7, -2, -6], [-4, 2, 0]]> : tensor<4x3xi4>
// expect: dense<[[19.5, -6.312, -3.25], [23.62, 7.438, 33.62]]> : tensor<2x3xf16>
// wrong (scales per block left out): dense<[[32.5, -20.25, 4.0], [39.0, 29.75, 25.25]]> : tensor<2x3xf16>
// wrong (scale of the next block; scale of the block before): dense<[[21.12, -29.12, 11.75], [25.12, 44.62, 20.03]]> : tensor<2x3xf16>
// wrong (blocks half as long): dense<[[22.25, -35.06, 13.625], [20.62, 5.875, 50.03]]> : tensor<2x3xf16>
// wrong (blocks twice as long): dense<[[16.25, -5.062, 8.0], [19.5, 7.438, 50.5]]> : tensor<2x3xf16>
module {
  func.func @main(%arg0: tensor<2x4xf16>, %arg1: tensor<4x3x!quant.uniform<i4:f16:{0:2, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>) -> tensor<2x3xf16> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf16>, tensor<4x3x!quant.uniform<i4:f16:{0:2, 1:1}, {{0.5, 0.25, 2.0}, {0.75, 1.5, 0.125}}>>) -> tensor<2x3xf16>
    func.return %r : tensor<2x3xf16>
  }
}
