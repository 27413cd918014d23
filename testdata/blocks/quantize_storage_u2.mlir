// clause: uniform_quantize: clamped to the storage range
// Numbers beyond the range, at ties, and near zero.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-1.0, 0.0], [0.35, 2.1], [1.0e+09, -1.0e+09], [0.04, 1.25]]> : tensor<4x2xf32>
// expect: dense<[[0, 0], [3, 3], [3, 0], [3, 3]]> : tensor<4x2xui2>
// wrong (rounded toward zero; rounded down): dense<[[0, 0], [3, 3], [3, 0], [3, 2]]> : tensor<4x2xui2>
// wrong (wrapped instead of saturated): dense<[[0, 0], [2, 3], [0, 0], [3, 3]]> : tensor<4x2xui2>
// wrong (unsigned storage read and saturated as signed): dense<[[0, 0], [1, 1], [1, 0], [1, 1]]> : tensor<4x2xui2>
// wrong (scales per block left out): dense<[[1, 0], [2, 2], [3, 0], [3, 3]]> : tensor<4x2xui2>
// wrong (scale of the next block; scale of the block before): dense<[[0, 0], [3, 2], [3, 0], [3, 3]]> : tensor<4x2xui2>
// wrong (zero point of the next block; zero point of the block before): dense<[[0, 2], [3, 3], [3, 0], [2, 1]]> : tensor<4x2xui2>
// wrong (blocks twice as long): dense<[[0, 0], [3, 3], [3, 0], [2, 2]]> : tensor<4x2xui2>
module {
  func.func @main(%arg0: tensor<4x2xf32>) -> tensor<4x2x!quant.uniform<u2:f32:{0:2, 1:1}, {{0.1:2, 0.7}, {0.3:3, 1.3:2}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x2xf32>) -> tensor<4x2x!quant.uniform<u2:f32:{0:2, 1:1}, {{0.1:2, 0.7}, {0.3:3, 1.3:2}}>>
    func.return %r : tensor<4x2x!quant.uniform<u2:f32:{0:2, 1:1}, {{0.1:2, 0.7}, {0.3:3, 1.3:2}}>>
  }
}
