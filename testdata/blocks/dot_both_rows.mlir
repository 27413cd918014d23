// clause: dot_general: products of dequantized elements, each with its block's parameters
// A scale per row of each side.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[3, 0, -3, 2], [0, 6, -4, 0]]> : tensor<2x4xi8>
// args: dense<[[7, -2, 0], [-1, 2, 3], [-7, -2, -3], [4, -3, 0]]> : tensor<4x3xi8>
// expect: dense<[[100, -72, 9], [176, 960, 120]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[800, -96, 144], [352, 320, 480]]> : tensor<2x3xi32>
// wrong (scale of the next block): dense<[[2400, -24, 72], [264, 20, 60]]> : tensor<2x3xi32>
// wrong (scale of the block before): dense<[[200, -48, 432], [22, 40, 360]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[100, -12, 108], [44, 40, 360]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{0.5}, {2.0}}>>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{1:1}, {{0.25, 1.5, 0.125}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{0.5}, {2.0}}>>, tensor<4x3x!quant.uniform<i8:f32:{1:1}, {{0.25, 1.5, 0.125}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
