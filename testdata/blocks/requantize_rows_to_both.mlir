// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table with blocks of 2 rows to one with blocks of 2 by 2: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 125, -17], [4, 95, 26, 87], [69, 51, 80, -10], [44, -114, 15, -45]]> : tensor<4x4xi8>
// expect: dense<[[-128, 125, 127, -41], [2, 93, 45, 127], [12, 9, 27, -3], [8, -11, 5, -15]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-128, 125, 127, -41], [2, 93, 45, 127], [11, 9, 27, -3], [8, -11, 5, -14]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-128, 125, 127, -41], [2, 93, 45, 127], [11, 9, 27, -3], [8, -12, 5, -15]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[126, 125, -13, -41], [2, 93, 45, -89], [12, 9, 27, -3], [8, -11, 5, -15]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-128, 125, 121, -21], [2, 93, 22, 83], [78, 60, 85, -5], [53, -105, 20, -40]]> : tensor<4x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-128, 125, 60, -11], [2, 93, 10, 41], [53, 41, 20, -3], [36, -69, 4, -12]]> : tensor<4x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-122, 127, 127, -19], [10, 101, 67, 127], [6, 4, 28, -2], [3, -17, 6, -14]]> : tensor<4x4xi8>
// wrong (blocks half as long): dense<[[-128, 127, 123, -41], [6, 101, 18, 93], [18, 30, 21, -11], [8, -38, 5, -15]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-128, 125, 123, -19], [2, 93, 24, 85], [18, 14, 21, -1], [12, -27, 5, -10]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>
  }
}
