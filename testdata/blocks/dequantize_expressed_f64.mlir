// clause: uniform_dequantize: scales are rounded to the expressed type
// 0.1 and 0.7 are no numbers of f64.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, -77, 8], [-86, -57, -87, 99]]> : tensor<2x4xi8>
// expect: dense<[[-13.100000000000001, 12.4, -49.0, 10.5], [-8.9, -6.0, -56.0, 74.19999999999999]]> : tensor<2x4xf64>
// wrong (scales per block left out): dense<[[-131.0, 124.0, -7.0e+01, 15.0], [-89.0, -6.0e+01, -8.0e+01, 106.0]]> : tensor<2x4xf64>
// wrong (scale of the next block; scale of the block before): dense<[[-91.69999999999999, 86.8, -7.0, 1.5], [-62.3, -42.0, -8.0, 10.600000000000001]]> : tensor<2x4xf64>
// wrong (zero point of the next block; zero point of the block before): dense<[[-12.100000000000001, 13.4, -56.0, 3.5], [-7.9, -5.0, -62.99999999999999, 67.19999999999999]]> : tensor<2x4xf64>
// wrong (blocks half as long): dense<[[-13.100000000000001, 93.8, -8.0, 10.5], [-8.9, -35.0, -9.0, 74.19999999999999]]> : tensor<2x4xf64>
// wrong (blocks twice as long): dense<[[-13.100000000000001, 12.4, -8.0, 0.5], [-8.9, -6.0, -9.0, 9.600000000000001]]> : tensor<2x4xf64>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f64:{1:2}, {{0.1:3, 0.7:-7}}>>) -> tensor<2x4xf64> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x4x!quant.uniform<i8:f64:{1:2}, {{0.1:3, 0.7:-7}}>>) -> tensor<2x4xf64>
    func.return %r : tensor<2x4xf64>
  }
}
