// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks along three dimensions, of 1, 2 and all elements. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[0.5, -0.0, -0.25, -0.0], [64.0, 0.26, 64.0, 64.0], [-64.5, 1.0, -0.25, -64.0], [-1.0, -0.25, 63.5, 0.0]], [[0.24, 0.0, -1.0, -1.0], [0.24, -0.0, 63.5, -64.5], [-0.0, 0.26, -0.0, -0.0], [0.0, 0.24, 0.26, -0.0]]]> : tensor<2x4x4xf32>
// expect: dense<[[[4, 3, 2, 3], [127, 4, 127, 127], [-128, -3, -8, -128], [-11, -8, 127, -7]], [[0, 0, 0, 0], [0, 0, 32, -32], [100, 100, 100, 100], [100, 100, 100, 100]]]> : tensor<2x4x4xi8>
// wrong (zero point added after rounding, as ONNX): dense<[[[4, 3, 3, 3], [127, 4, 127, 127], [-128, -3, -8, -128], [-11, -8, 127, -7]], [[0, 0, 0, 0], [0, 0, 32, -32], [100, 100, 100, 100], [100, 100, 100, 100]]]> : tensor<2x4x4xi8>
// wrong (ties rounded away from zero): dense<[[[4, 3, 3, 3], [127, 4, 127, 127], [-128, -3, -8, -128], [-11, -8, 127, -7]], [[0, 0, -1, -1], [0, 0, 32, -32], [100, 100, 100, 100], [100, 100, 100, 100]]]> : tensor<2x4x4xi8>
// wrong (rounded toward zero): dense<[[[4, 3, 2, 3], [127, 3, 127, 127], [-128, -3, -8, -128], [-11, -8, 127, -7]], [[0, 0, 0, 0], [0, 0, 31, -32], [100, 100, 100, 100], [100, 100, 100, 100]]]> : tensor<2x4x4xi8>
// wrong (rounded down): dense<[[[4, 3, 2, 3], [127, 3, 127, 127], [-128, -3, -8, -128], [-11, -8, 127, -7]], [[0, 0, -1, -1], [0, 0, 31, -33], [100, 100, 100, 100], [100, 100, 100, 100]]]> : tensor<2x4x4xi8>
// wrong (wrapped instead of saturated): dense<[[[4, 3, 2, 3], [-125, 4, -125, -125], [-9, -3, -8, -7], [-11, -8, -9, -7]], [[0, 0, 0, 0], [0, 0, 32, -32], [100, 100, 100, 100], [100, 100, 100, 100]]]> : tensor<2x4x4xi8>
// wrong (scales per block left out): dense<[[[4, 3, 3, 3], [67, 3, 67, 67], [-72, -6, -7, -71], [-8, -7, 56, -7]], [[0, 0, -1, -1], [0, 0, 64, -64], [100, 100, 100, 100], [100, 100, 100, 100]]]> : tensor<2x4x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[[5, 3, 2, 3], [127, 4, 127, 127], [-128, -5, -8, -128], [-9, -8, 120, -7]], [[0, 0, -1, -1], [0, 0, 85, -86], [100, 100, 100, 100], [100, 100, 100, 100]]]> : tensor<2x4x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[[-6, -7, -8, -7], [121, -6, 121, 121], [-128, 7, 2, -128], [-1, 2, 127, 3]], [[100, 100, 100, 100], [100, 100, 127, 68], [0, 0, 0, 0], [0, 0, 0, 0]]]> : tensor<2x4x4xi8>
// wrong (blocks half as long): dense<[[[4, 3, 2, 3], [127, -6, 127, 127], [-126, 5, 2, -125], [-11, -8, 127, -7]], [[0, 0, 0, 0], [100, 100, 127, 14], [0, 0, 0, 0], [100, 100, 100, 100]]]> : tensor<2x4x4xi8>
// wrong (blocks twice as long): dense<[[[4, 3, 2, 3], [127, 4, 127, 127], [-126, 5, 2, -125], [1, 2, 127, 3]], [[0, 0, 0, 0], [0, 0, 32, -32], [0, 0, 0, 0], [0, 0, 0, 0]]]> : tensor<2x4x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x4xf32>) -> tensor<2x4x4x!quant.uniform<i8:f32:{0:1, 1:2, 2:4}, {{{0.5:3}, {0.25:-7}}, {{2.0}, {0.75:100}}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x4x4xf32>) -> tensor<2x4x4x!quant.uniform<i8:f32:{0:1, 1:2, 2:4}, {{{0.5:3}, {0.25:-7}}, {{2.0}, {0.75:100}}}>>
    func.return %r : tensor<2x4x4x!quant.uniform<i8:f32:{0:1, 1:2, 2:4}, {{{0.5:3}, {0.25:-7}}, {{2.0}, {0.75:100}}}>>
  }
}
