// clause: uniform_quantize: clamped to the storage range
// Numbers beyond the range, at ties, and near zero.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-1.0, 0.0], [0.35, 2.1], [1.0e+09, -1.0e+09], [0.04, 1.25]]> : tensor<4x2xf32>
// expect: dense<[[118, 0], [132, 3], [255, 0], [255, 8]]> : tensor<4x2xui8>
// wrong (rounded toward zero; rounded down): dense<[[118, 0], [131, 3], [255, 0], [255, 7]]> : tensor<4x2xui8>
// wrong (wrapped instead of saturated): dense<[[118, 0], [132, 3], [0, 64], [255, 8]]> : tensor<4x2xui8>
// wrong (unsigned storage read and saturated as signed): dense<[[118, 0], [127, 3], [127, 0], [127, 8]]> : tensor<4x2xui8>
// wrong (scales per block left out): dense<[[127, 0], [128, 2], [255, 0], [255, 8]]> : tensor<4x2xui8>
// wrong (scale of the next block; scale of the block before): dense<[[125, 0], [129, 2], [255, 0], [255, 9]]> : tensor<4x2xui8>
// wrong (zero point of the next block; zero point of the block before): dense<[[245, 7], [255, 10], [255, 0], [128, 1]]> : tensor<4x2xui8>
// wrong (blocks half as long): dense<[[118, 0], [255, 9], [255, 0], [255, 8]]> : tensor<4x2xui8>
// wrong (blocks twice as long): dense<[[118, 0], [132, 3], [255, 0], [128, 2]]> : tensor<4x2xui8>
module {
  func.func @main(%arg0: tensor<4x2xf32>) -> tensor<4x2x!quant.uniform<u8:f32:{0:2, 1:1}, {{0.1:128, 0.7}, {0.3:255, 1.3:7}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x2xf32>) -> tensor<4x2x!quant.uniform<u8:f32:{0:2, 1:1}, {{0.1:128, 0.7}, {0.3:255, 1.3:7}}>>
    func.return %r : tensor<4x2x!quant.uniform<u8:f32:{0:2, 1:1}, {{0.1:128, 0.7}, {0.3:255, 1.3:7}}>>
  }
}
