// clause: dot_general: products of dequantized elements, each with its block's parameters
// An infinity times the zero point of its block is NaN, and of another one is not.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x7F800000, 0.0, 0.0, 0.0], [0.0, 0.0, 0x7F800000, 0.0]]> : tensor<2x4xf32>
// args: dense<[[1], [1], [1], [1]]> : tensor<4x1xi8>
// expect: dense<[[0xFFC00000], [0xFF800000]]> : tensor<2x1xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[0xFF800000], [0xFFC00000]]> : tensor<2x1xf32>
// wrong (blocks half as long; blocks twice as long): dense<[[0xFFC00000], [0xFFC00000]]> : tensor<2x1xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x1x!quant.uniform<i8:f32:{0:2}, {{0.5:1}, {0.25:2}}>>) -> tensor<2x1xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x1x!quant.uniform<i8:f32:{0:2}, {{0.5:1}, {0.25:2}}>>) -> tensor<2x1xf32>
    func.return %r : tensor<2x1xf32>
  }
}
