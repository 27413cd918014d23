// clause: uniform_dequantize: scales are rounded to the expressed type
// 0.1 and 0.7 are no numbers of f16.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, -65, 65], [-38, -49, 0, 90]]> : tensor<2x4xi8>
// expect: dense<[[-13.09, 12.4, -40.62, 50.4], [-4.098, -5.2, 4.902, 67.94]]> : tensor<2x4xf16>
// wrong (scales per block left out): dense<[[-131.0, 124.0, -58.0, 72.0], [-41.0, -52.0, 7.0, 97.0]]> : tensor<2x4xf16>
// wrong (scale of the next block; scale of the block before): dense<[[-91.75, 86.8, -5.797, 7.2], [-28.7, -36.4, 0.6997, 9.695]]> : tensor<2x4xf16>
// wrong (zero point of the next block; zero point of the block before): dense<[[-12.09, 13.4, -47.62, 43.4], [-3.1, -4.2, -2.102, 60.9]]> : tensor<2x4xf16>
// wrong (blocks half as long): dense<[[-13.09, 93.8, -6.797, 50.4], [-4.098, -29.4, -0.2998, 67.94]]> : tensor<2x4xf16>
// wrong (blocks twice as long): dense<[[-13.09, 12.4, -6.797, 6.2], [-4.098, -5.2, -0.2998, 8.695]]> : tensor<2x4xf16>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f16:{1:2}, {{0.1:3, 0.7:-7}}>>) -> tensor<2x4xf16> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x4x!quant.uniform<i8:f16:{1:2}, {{0.1:3, 0.7:-7}}>>) -> tensor<2x4xf16>
    func.return %r : tensor<2x4xf16>
  }
}
