// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table with blocks of 2 by 2 to one with blocks of one element: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 6, -49], [-107, 45, 32, 56], [-58, 65, 64, 107], [69, -76, 10, 92]]> : tensor<4x4xi8>
// expect: dense<[[-128, 127, 1, -16], [-36, 127, 3, 127], [-24, 127, 12, 93], [127, -128, 30, 54]]> : tensor<4x4xi8>
// wrong (rounded toward zero; rounded down): dense<[[-128, 127, 0, -16], [-36, 127, 2, 127], [-24, 127, 12, 93], [127, -128, 29, 54]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[127, -4, 1, -16], [-36, -80, 3, -28], [-24, 80, 12, 93], [60, 33, 30, 54]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-128, 126, 7, -48], [-108, 44, 33, 57], [-60, 63, 66, 109], [67, -78, 12, 94]]> : tensor<4x4xi8>
// wrong (scale of the next block): dense<[[-128, 16, 5, -48], [-128, 4, 127, 19], [-120, 12, 127, 44], [72, -128, 18, 127]]> : tensor<4x4xi8>
// wrong (scale of the block before): dense<[[-43, 63, 14, -12], [-128, 7, 127, 10], [-51, 9, 127, 54], [39, -128, 34, 127]]> : tensor<4x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-127, 127, 1, -17], [-35, 127, 3, 127], [-22, 127, 12, 90], [127, -128, 20, 52]]> : tensor<4x4xi8>
// wrong (blocks half as long): dense<[[-128, 127, 1, -16], [-36, 92, 5, 127], [-24, 127, 31, 93], [127, -79, 53, 54]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-128, 126, 10, -100], [-36, 15, 124, 127], [-24, 25, 127, 127], [127, -128, 23, 127]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0, 0.75}, {1.5, 0.125, 3.0, 0.0625}, {5.0, 0.375, 4.0, 0.875}, {0.1, 0.7, 0.3, 1.3}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0, 0.75}, {1.5, 0.125, 3.0, 0.0625}, {5.0, 0.375, 4.0, 0.875}, {0.1, 0.7, 0.3, 1.3}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0, 0.75}, {1.5, 0.125, 3.0, 0.0625}, {5.0, 0.375, 4.0, 0.875}, {0.1, 0.7, 0.3, 1.3}}>>
  }
}
