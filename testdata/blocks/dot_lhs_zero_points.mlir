// clause: dot_general: products of dequantized elements, each with its block's parameters
// Zero points of the activations' blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0, -2, 6, -1], [-3, -1, -1, -4]]> : tensor<2x4xi8>
// args: dense<[[1, -2, 2], [-6, 4, 0], [-1, -1, -5], [6, -7, -5]]> : tensor<4x3xi8>
// expect: dense<[[158, -340, -612], [52, -96, -224]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[160, -212, -324], [80, -60, -148]]> : tensor<2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[242, -190, -198], [148, -54, -146]]> : tensor<2x3xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-242, 204, 60], [-348, 448, 448]]> : tensor<2x3xi32>
// wrong (blocks half as long): dense<[[36, -122, -202], [-148, 104, -24]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[0, 22, -2], [-40, 98, 86]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 2.0:-5}}>>, %arg1: tensor<4x3x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 2.0:-5}}>>, tensor<4x3x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
