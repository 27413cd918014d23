// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table with blocks of 2 columns to one with blocks of 2 rows: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, -96, -47], [-107, 26, -113, 9], [114, 70, 90, 74], [99, -60, 59, -79]]> : tensor<4x4xi8>
// expect: dense<[[-23, 28, -128, -70], [-18, 8, -128, 9], [39, 21, 127, 127], [33, -31, 127, -128]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-22, 28, -128, -69], [-18, 8, -128, 8], [38, 21, 127, 127], [32, -31, 127, -128]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-23, 28, -128, -70], [-19, 8, -128, 8], [38, 21, 127, 127], [32, -31, 127, -128]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[-23, 28, 118, -70], [-18, 8, 94, 9], [39, 21, -25, -70], [33, -31, -112, 14]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-125, 127, -98, -49], [-104, 29, -115, 7], [107, 63, 78, 62], [92, -67, 47, -91]]> : tensor<4x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-128, 127, -37, -18], [-128, 76, -44, 5], [127, 91, 10, 7], [127, -91, 4, -24]]> : tensor<4x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-34, 17, -128, -73], [-29, -3, -128, 6], [47, 29, 127, 127], [41, -23, 127, -128]]> : tensor<4x4xi8>
// wrong (blocks half as long): dense<[[-23, 127, -16, -70], [-50, 52, -52, 4], [26, 94, 21, 100], [33, -128, 17, -128]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-23, 28, -16, -6], [-18, 8, -20, 5], [26, 17, 21, 18], [23, -9, 15, -13]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{1:2}, {{0.1, 0.7:5}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{1:2}, {{0.1, 0.7:5}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>
  }
}
