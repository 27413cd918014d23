// clause: dot_general: products of dequantized elements, each with its block's parameters
// A zero point for each block, which (C15) forbids for other types (E49).
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0.25, 0.25, -2.0, -2.0], [-2.0, 1.0, 2.0, 4.0]]> : tensor<2x4xf32>
// args: dense<[[-5, -7, 2], [7, -5, -7], [-1, -2, 0], [-7, -5, 6]]> : tensor<4x3xi4>
// expect: dense<[[-12.0, 26.5, -8.0], [22.5, -43.25, -11.5]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-16.0, 16.0, -22.75], [36.0, -23.0, 28.0]]> : tensor<2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-8.0, 1.5, -40.34375], [22.5, 3.0, 71.0]]> : tensor<2x3xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[17.25, 8.125, -0.5], [-22.5, -15.5, -25.25]]> : tensor<2x3xf32>
// wrong (blocks half as long): dense<[[2.5625, 15.4375, 9.34375], [18.25, -42.5, -4.625]]> : tensor<2x3xf32>
// wrong (blocks twice as long): dense<[[1.0e+01, 1.0, -5.5], [-9.0, -1.25, -4.0]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x3x!quant.uniform<i4:f32:{0:2, 1:1}, {{0.5:1, 0.25:-2, 2.0:3}, {0.75:-8, 1.5:1, 0.125:-2}}>>) -> tensor<2x3xf32> {
    %r = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x4xf32>, tensor<4x3x!quant.uniform<i4:f32:{0:2, 1:1}, {{0.5:1, 0.25:-2, 2.0:3}, {0.75:-8, 1.5:1, 0.125:-2}}>>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
