// clause: uniform_quantize: clamped to the storage range
// Numbers beyond the range, at ties, and near zero.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-1.0, 0.0], [0.35, 2.1], [1.0e+09, -1.0e+09], [0.04, 1.25]]> : tensor<4x2xf32>
// expect: dense<[[65525, 0], [65535, 3], [65535, 0], [9, 65535]]> : tensor<4x2xui16>
// wrong (wrapped instead of saturated): dense<[[65525, 0], [2, 3], [41216, 30784], [9, 0]]> : tensor<4x2xui16>
// wrong (unsigned storage read and saturated as signed): dense<[[32767, 0], [32767, 3], [32767, 0], [9, 32767]]> : tensor<4x2xui16>
// wrong (scales per block left out): dense<[[65534, 0], [65535, 2], [65535, 0], [9, 65535]]> : tensor<4x2xui16>
// wrong (scale of the next block; scale of the block before): dense<[[65532, 0], [65535, 2], [65535, 0], [9, 65535]]> : tensor<4x2xui16>
// wrong (zero point of the next block; zero point of the block before): dense<[[0, 65535], [12, 65535], [65535, 0], [65535, 1]]> : tensor<4x2xui16>
// wrong (blocks half as long): dense<[[65525, 0], [10, 65535], [65535, 0], [9, 65535]]> : tensor<4x2xui16>
// wrong (blocks twice as long): dense<[[65525, 0], [65535, 3], [65535, 0], [65535, 2]]> : tensor<4x2xui16>
module {
  func.func @main(%arg0: tensor<4x2xf32>) -> tensor<4x2x!quant.uniform<u16:f32:{0:2, 1:1}, {{0.1:65535, 0.7}, {0.3:9, 1.3:65535}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x2xf32>) -> tensor<4x2x!quant.uniform<u16:f32:{0:2, 1:1}, {{0.1:65535, 0.7}, {0.3:9, 1.3:65535}}>>
    func.return %r : tensor<4x2x!quant.uniform<u16:f32:{0:2, 1:1}, {{0.1:65535, 0.7}, {0.3:9, 1.3:65535}}>>
  }
}
