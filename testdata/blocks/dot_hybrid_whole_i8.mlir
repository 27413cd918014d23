// clause: dot_general: products of dequantized elements, each with its block's parameters
// One block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-2.0, 3.0, -1.0, -0.5], [2.0, -0.5, 1.0, -3.0]]> : tensor<2x4xf32>
// args: dense<[[-5, 7, 6], [7, 7, 1], [-6, -4, -5], [2, 0, 7]]> : tensor<4x3xi8>
// expect: dense<[[27.0, 8.25, -5.625], [-19.125, 4.875, -10.875]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[36.0, 11.0, -7.5], [-25.5, 6.5, -14.5]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:4}, {{0.75}}>>) -> tensor<2x3xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x3x!quant.uniform<i8:f32:{0:4}, {{0.75}}>>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
