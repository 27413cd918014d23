// clause: uniform_quantize: scales are rounded to the expressed type
// Quotients and sums are rounded to f16.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0.15, -1.25, 3.3, 9.0e+01], [0.05, 0.35, 1.05, -0.35]]> : tensor<2x4xf16>
// expect: dense<[[4, -10, -2, 122], [4, 6, -6, -8]]> : tensor<2x4xi8>
// wrong (zero point added after rounding, as ONNX): dense<[[5, -9, -2, 121], [3, 7, -6, -7]]> : tensor<2x4xi8>
// wrong (ties rounded away from zero): dense<[[5, -10, -2, 122], [4, 7, -6, -8]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[4, -9, -2, 121], [3, 6, -5, -7]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[4, -10, -3, 121], [3, 6, -6, -8]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[3, 2, -4, 83], [3, 3, -6, -7]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[3, 1, 26, 127], [3, 4, 4, -10]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-6, -20, 8, 127], [-6, -3, 4, 2]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[4, -9, 36, 122], [4, -6, 14, -8]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[4, -10, 36, 127], [4, 6, 14, -1]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4xf16>) -> tensor<2x4x!quant.uniform<i8:f16:{1:2}, {{0.1:3, 0.7:-7}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x4xf16>) -> tensor<2x4x!quant.uniform<i8:f16:{1:2}, {{0.1:3, 0.7:-7}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f16:{1:2}, {{0.1:3, 0.7:-7}}>>
  }
}
