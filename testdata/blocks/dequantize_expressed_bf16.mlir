// clause: uniform_dequantize: scales are rounded to the expressed type
// 0.1 and 0.7 are no numbers of bf16.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 125, 73], [50, 68, -44, -108]]> : tensor<2x4xi8>
// expect: dense<[[-13.125, 12.4375, 92.5, 56.0], [4.71875, 6.5, -25.875, -70.5]]> : tensor<2x4xbf16>
// wrong (scales per block left out): dense<[[-131.0, 124.0, 132.0, 8.0e+01], [47.0, 65.0, -37.0, -101.0]]> : tensor<2x4xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[-91.5, 86.5, 13.1875, 8.0], [32.75, 45.5, -3.703125, -10.125]]> : tensor<2x4xbf16>
// wrong (zero point of the next block; zero point of the block before): dense<[[-12.125, 13.4375, 85.5, 49.0], [5.71875, 7.5, -32.75, -77.5]]> : tensor<2x4xbf16>
// wrong (blocks half as long): dense<[[-13.125, 93.5, 12.1875, 56.0], [4.71875, 52.5, -4.71875, -70.5]]> : tensor<2x4xbf16>
// wrong (blocks twice as long): dense<[[-13.125, 12.4375, 12.1875, 7.0], [4.71875, 6.5, -4.71875, -11.125]]> : tensor<2x4xbf16>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:bf16:{1:2}, {{0.1:3, 0.7:-7}}>>) -> tensor<2x4xbf16> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x4x!quant.uniform<i8:bf16:{1:2}, {{0.1:3, 0.7:-7}}>>) -> tensor<2x4xbf16>
    func.return %r : tensor<2x4xbf16>
  }
}
