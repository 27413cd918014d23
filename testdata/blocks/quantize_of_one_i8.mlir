// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks of one element: every element has its own scale. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0.24, -0.25, 0.26], [0.26, 0.0, -1.0]]> : tensor<2x3xf32>
// expect: dense<[[3, -8, 0], [100, -128, -3]]> : tensor<2x3xi8>
// wrong (scales per block left out): dense<[[3, -7, 0], [100, -128, 4]]> : tensor<2x3xi8>
// wrong (scale of the next block): dense<[[4, -7, 1], [100, -128, 4]]> : tensor<2x3xi8>
// wrong (scale of the block before): dense<[[3, -8, 1], [102, -128, 4]]> : tensor<2x3xi8>
// wrong (zero point of the next block): dense<[[-7, -1, 3], [-128, 5, 92]]> : tensor<2x3xi8>
// wrong (zero point of the block before): dense<[[0, 2, -7], [5, 100, -128]]> : tensor<2x3xi8>
// wrong (blocks twice as long): dense<[[3, 2, -6], [100, 100, -128]]> : tensor<2x3xi8>
module {
  func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5:3, 0.25:-7, 2.0}, {0.75:100, 1.5:-128, 0.125:5}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5:3, 0.25:-7, 2.0}, {0.75:100, 1.5:-128, 0.125:5}}>>
    func.return %r : tensor<2x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5:3, 0.25:-7, 2.0}, {0.75:100, 1.5:-128, 0.125:5}}>>
  }
}
