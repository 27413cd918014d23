// clause: dot_general: products of dequantized elements, each with its block's parameters
// One block on each side.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[6, -7, -7, -4], [-6, 2, -6, -7]]> : tensor<2x4xi8>
// args: dense<[[4, -4, -8], [-6, -5, -2], [-4, 7, 1], [-3, -1, -6]]> : tensor<4x3xi8>
// expect: dense<[[212, -68, -34], [18, -42, 160]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[1696, -544, -272], [144, -336, 1280]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{0:2}, {{0.5}}>>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:4}, {{0.25}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32:{0:2}, {{0.5}}>>, tensor<4x3x!quant.uniform<i8:f32:{0:4}, {{0.25}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
