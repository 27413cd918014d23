// clause: dot_general: products of dequantized elements, each with its block's parameters
// 32 weights in two blocks of 16.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[3.0, 4.0, 4.0, -1.0, 2.0, 2.0, -2.0, -4.0, 1.0, -4.0, 1.0, -1.0, 3.0, -3.0, 4.0, -1.5, 3.0, 1.0, -1.0, 4.0, 1.5, -1.0, 1.0, 1.0, 1.0, 0.25, -3.0, 1.5, -1.5, -1.0, -3.0, 1.0]]> : tensor<1x32xf32>
// args: dense<[[-8, 1], [6, -6], [6, 0], [4, -2], [-2, -6], [-6, -4], [0, 3], [-4, 0], [-5, 3], [-1, 7], [7, 4], [-8, -3], [-8, 7], [6, 4], [1, -4], [5, 3], [4, 2], [-5, 2], [-8, 2], [2, 4], [-5, -2], [-8, 1], [0, 3], [-6, 4], [4, -6], [3, 5], [0, -7], [0, -5], [-7, 1], [-4, -1], [0, 5], [2, -2]]> : tensor<32x2xi4>
// expect: dense<[[71.75, -6.4375]]> : tensor<1x2xf32>
// wrong (scales per block left out): dense<[[27.25, -58.25]]> : tensor<1x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-3.625, -51.8125]]> : tensor<1x2xf32>
// wrong (blocks half as long): dense<[[-1.75, -33.6875]]> : tensor<1x2xf32>
// wrong (blocks twice as long): dense<[[13.625, -14.5625]]> : tensor<1x2xf32>
module {
  func.func @main(%arg0: tensor<1x32xf32>, %arg1: tensor<32x2x!quant.uniform<i4:f32:{0:16, 1:1}, {{0.5, 0.25}, {2.0, 0.75}}>>) -> tensor<1x2xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<1x32xf32>, tensor<32x2x!quant.uniform<i4:f32:{0:16, 1:1}, {{0.5, 0.25}, {2.0, 0.75}}>>) -> tensor<1x2xf32>
    func.return %r : tensor<1x2xf32>
  }
}
