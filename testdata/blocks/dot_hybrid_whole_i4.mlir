// clause: dot_general: products of dequantized elements, each with its block's parameters
// One block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[3.0, 0.5, -4.0, -1.5], [-3.0, -1.5, 1.0, -2.0]]> : tensor<2x4xf32>
// args: dense<[[-5, 2, -7], [-5, -8, -4], [-5, 3, -8], [-6, -2, 4]]> : tensor<4x3xi4>
// expect: dense<[[8.625, -5.25, 2.25], [22.125, 9.75, 8.25]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[11.5, -7.0, 3.0], [29.5, 13.0, 11.0]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x3x!quant.uniform<i4:f32:{0:4}, {{0.75}}>>) -> tensor<2x3xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x3x!quant.uniform<i4:f32:{0:4}, {{0.75}}>>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
