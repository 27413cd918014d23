// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks of 2 by 3: the table is row-major. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0.5, -64.0, 63.5, 0.26, 0.5, -0.25], [0.5, 63.5, 63.5, 1.0, -64.0, 0.5], [0.5, 1.0, 64.0, -64.5, 63.5, -64.5], [0.5, 0.5, -64.0, 0.26, 1.0, -64.5]]> : tensor<4x6xf32>
// expect: dense<[[4, -125, 127, -6, -5, -8], [4, 127, 127, -3, -128, -5], [0, 0, 32, 14, 127, 14], [0, 0, -32, 100, 101, 14]]> : tensor<4x6xi8>
// wrong (ties rounded away from zero): dense<[[4, -125, 127, -6, -5, -8], [4, 127, 127, -3, -128, -5], [0, 1, 32, 14, 127, 14], [0, 0, -32, 100, 101, 14]]> : tensor<4x6xi8>
// wrong (rounded toward zero): dense<[[4, -125, 127, -5, -5, -8], [4, 127, 127, -3, -128, -5], [0, 0, 32, 14, 127, 14], [0, 0, -32, 100, 101, 14]]> : tensor<4x6xi8>
// wrong (wrapped instead of saturated): dense<[[4, -125, -126, -6, -5, -8], [4, -126, -126, -3, -7, -5], [0, 0, 32, 14, -71, 14], [0, 0, -32, 100, 101, 14]]> : tensor<4x6xi8>
// wrong (scales per block left out): dense<[[4, -61, 66, -7, -6, -7], [4, 66, 66, -6, -71, -6], [0, 1, 64, 36, 127, 36], [0, 0, -64, 100, 101, 36]]> : tensor<4x6xi8>
// wrong (scale of the next block; scale of the block before): dense<[[5, -128, 127, -6, -6, -8], [5, 127, 127, -5, -128, -6], [1, 1, 85, 68, 127, 68], [1, 1, -85, 100, 100, 68]]> : tensor<4x6xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-6, -128, 120, 4, 5, 2], [-6, 120, 120, 7, -128, 5], [100, 100, 127, -86, 85, -86], [100, 100, 68, 0, 1, -86]]> : tensor<4x6xi8>
// wrong (blocks twice as long): dense<[[4, -125, 127, 4, 4, 2], [4, 127, 127, 5, -125, 4], [0, 0, 32, -32, 32, -32], [0, 0, -32, 0, 0, -32]]> : tensor<4x6xi8>
module {
  func.func @main(%arg0: tensor<4x6xf32>) -> tensor<4x6x!quant.uniform<i8:f32:{0:2, 1:3}, {{0.5:3, 0.25:-7}, {2.0, 0.75:100}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x6xf32>) -> tensor<4x6x!quant.uniform<i8:f32:{0:2, 1:3}, {{0.5:3, 0.25:-7}, {2.0, 0.75:100}}>>
    func.return %r : tensor<4x6x!quant.uniform<i8:f32:{0:2, 1:3}, {{0.5:3, 0.25:-7}, {2.0, 0.75:100}}>>
  }
}
