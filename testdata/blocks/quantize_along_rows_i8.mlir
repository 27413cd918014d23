// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks of 2 along rows: dimension 1, which is not named, is one block. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0.0, -0.0, -0.0], [1.0, 0.24, -64.5], [-64.0, -0.25, -0.25], [64.0, 0.26, 64.0]]> : tensor<4x3xf32>
// expect: dense<[[3, 3, 3], [5, 3, -126], [-128, -8, -8], [127, -6, 127]]> : tensor<4x3xi8>
// wrong (rounded toward zero): dense<[[3, 3, 3], [5, 3, -126], [-128, -8, -8], [127, -5, 127]]> : tensor<4x3xi8>
// wrong (wrapped instead of saturated): dense<[[3, 3, 3], [5, 3, -126], [-7, -8, -8], [-7, -6, -7]]> : tensor<4x3xi8>
// wrong (scales per block left out): dense<[[3, 3, 3], [4, 3, -62], [-71, -7, -7], [57, -7, 57]]> : tensor<4x3xi8>
// wrong (scale of the next block; scale of the block before): dense<[[3, 3, 3], [7, 4, -128], [-128, -8, -8], [121, -6, 121]]> : tensor<4x3xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-7, -7, -7], [-5, -7, -128], [-128, 2, 2], [127, 4, 127]]> : tensor<4x3xi8>
// wrong (blocks half as long): dense<[[3, 3, 3], [-3, -6, -128], [-125, 2, 2], [127, -6, 127]]> : tensor<4x3xi8>
// wrong (blocks twice as long): dense<[[3, 3, 3], [5, 3, -126], [-125, 2, 2], [127, 4, 127]]> : tensor<4x3xi8>
module {
  func.func @main(%arg0: tensor<4x3xf32>) -> tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x3xf32>) -> tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>
    func.return %r : tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>
  }
}
