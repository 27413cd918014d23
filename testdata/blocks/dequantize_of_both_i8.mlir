// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// Blocks of 2 by 3: the table is row-major.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, -26, -10, 79, 48], [52, 107, 9, -126, 68, -62], [-23, 90, -100, 118, 58, -26], [83, 120, 54, 84, 49, -128]]> : tensor<4x6xi8>
// expect: dense<[[-12.8, 12.7, -2.6000001, -7.0, 55.3, 33.6], [5.2000003, 10.7, 0.90000004, -88.2, 47.6, -43.399998], [-6.9, 27.000002, -30.000002, 153.4, 75.399994, -33.8], [24.900002, 36.0, 16.2, 109.2, 63.699997, -166.4]]> : tensor<4x6xf32>
// wrong (scales per block left out): dense<[[-128.0, 127.0, -26.0, -1.0e+01, 79.0, 48.0], [52.0, 107.0, 9.0, -126.0, 68.0, -62.0], [-23.0, 9.0e+01, -1.0e+02, 118.0, 58.0, -26.0], [83.0, 1.2e+02, 54.0, 84.0, 49.0, -128.0]]> : tensor<4x6xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-89.6, 88.9, -18.199999, -1.0, 7.9, 4.8], [36.399998, 74.9, 6.2999997, -12.6, 6.8, -6.2000003], [-29.9, 116.99999, -1.3e+02, 35.4, 17.400002, -7.8], [107.899994, 156.0, 70.2, 25.2, 14.700001, -38.4]]> : tensor<4x6xf32>
// wrong (blocks twice as long): dense<[[-12.8, 12.7, -2.6000001, -1.0, 7.9, 4.8], [5.2000003, 10.7, 0.90000004, -12.6, 6.8, -6.2000003], [-6.9, 27.000002, -30.000002, 35.4, 17.400002, -7.8], [24.900002, 36.0, 16.2, 25.2, 14.700001, -38.4]]> : tensor<4x6xf32>
module {
  func.func @main(%arg0: tensor<4x6x!quant.uniform<i8:f32:{0:2, 1:3}, {{0.1, 0.7}, {0.3, 1.3}}>>) -> tensor<4x6xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<4x6x!quant.uniform<i8:f32:{0:2, 1:3}, {{0.1, 0.7}, {0.3, 1.3}}>>) -> tensor<4x6xf32>
    func.return %r : tensor<4x6xf32>
  }
}
