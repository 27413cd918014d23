// clause: dot_general: products of dequantized elements, each with its block's parameters
// Zero points per block on both sides.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-3, 4, 3, -5], [-4, -1, -2, -7]]> : tensor<2x4xi8>
// args: dense<[[-7, 2, -5], [4, 6, 1], [5, 1, -1], [5, 4, 3]]> : tensor<4x3xi8>
// expect: dense<[[396, -32, 768], [200, -408, 996]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[944, -256, 864], [720, -1056, 912]]> : tensor<2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[1256, -768, 312], [1060, -2892, 144]]> : tensor<2x3xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-856, -2210, 336], [-1484, -3558, 224]]> : tensor<2x3xi32>
// wrong (blocks half as long): dense<[[192, 2112, 876], [96, 586, 1224]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[76, -128, 736], [-64, -270, 1344]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 2.0:-5}}>>, %arg1: tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.5:1, 0.25:-2, 2.0:3}, {0.75:4, 1.5:1, 0.125:-2}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 2.0:-5}}>>, tensor<4x3x!quant.uniform<i8:f32:{0:2, 1:1}, {{0.5:1, 0.25:-2, 2.0:3}, {0.75:4, 1.5:1, 0.125:-2}}>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.0625>>
  }
}
