// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks of 2 along rows: dimension 1, which is not named, is one block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0.75, 0.5, 0.75], [-0.25, -8.0, 9.0], [-8.0, 0.0, 0.5], [0.0, 0.3, 0.3]]> : tensor<4x3xf32>
// expect: dense<[[2, 1, 2], [0, -8, 7], [-8, 0, 2], [0, 1, 1]]> : tensor<4x3xi4>
// wrong (ties rounded away from zero): dense<[[2, 1, 2], [-1, -8, 7], [-8, 0, 2], [0, 1, 1]]> : tensor<4x3xi4>
// wrong (rounded toward zero): dense<[[1, 1, 1], [0, -8, 7], [-8, 0, 2], [0, 1, 1]]> : tensor<4x3xi4>
// wrong (rounded down): dense<[[1, 1, 1], [-1, -8, 7], [-8, 0, 2], [0, 1, 1]]> : tensor<4x3xi4>
// wrong (wrapped instead of saturated): dense<[[2, 1, 2], [0, 0, 2], [0, 0, 2], [0, 1, 1]]> : tensor<4x3xi4>
// wrong (scales per block left out): dense<[[1, 0, 1], [0, -8, 7], [-8, 0, 0], [0, 0, 0]]> : tensor<4x3xi4>
// wrong (scale of the next block; scale of the block before): dense<[[3, 2, 3], [-1, -8, 7], [-8, 0, 1], [0, 1, 1]]> : tensor<4x3xi4>
// wrong (blocks half as long): dense<[[2, 1, 2], [-1, -8, 7], [-8, 0, 1], [0, 1, 1]]> : tensor<4x3xi4>
// wrong (blocks twice as long): dense<[[2, 1, 2], [0, -8, 7], [-8, 0, 1], [0, 1, 1]]> : tensor<4x3xi4>
module {
  func.func @main(%arg0: tensor<4x3xf32>) -> tensor<4x3x!quant.uniform<i4:f32:{0:2}, {{0.5}, {0.25}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x3xf32>) -> tensor<4x3x!quant.uniform<i4:f32:{0:2}, {{0.5}, {0.25}}>>
    func.return %r : tensor<4x3x!quant.uniform<i4:f32:{0:2}, {{0.5}, {0.25}}>>
  }
}
