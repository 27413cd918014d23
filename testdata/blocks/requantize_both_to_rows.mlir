// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table with blocks of 2 by 2 to one with blocks of 2 rows: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, -20, 8], [17, -65, -96, 118], [119, -83, 48, -94], [82, -51, -118, 22]]> : tensor<4x4xi8>
// expect: dense<[[-126, 127, -6, 8], [19, -63, -44, 62], [127, -128, 127, -128], [127, -128, -128, 65]]> : tensor<4x4xi8>
// wrong (zero point added after rounding, as ONNX): dense<[[-126, 127, -7, 7], [19, -63, -45, 63], [127, -128, 127, -128], [127, -128, -128, 65]]> : tensor<4x4xi8>
// wrong (ties rounded away from zero): dense<[[-126, 127, -7, 8], [19, -63, -45, 63], [127, -128, 127, -128], [127, -128, -128, 65]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-126, 127, -6, 7], [19, -63, -44, 62], [127, -128, 127, -128], [127, -128, -128, 65]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-126, 127, -7, 7], [19, -63, -45, 62], [127, -128, 127, -128], [127, -128, -128, 65]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[-126, -127, -6, 8], [19, -63, -44, 62], [-95, 81, -113, -27], [121, 81, -99, 65]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-126, 127, -16, 12], [19, -63, -92, 122], [110, -92, 43, -99], [73, -60, -123, 17]]> : tensor<4x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-126, 127, -35, 21], [19, -63, -128, 127], [127, -128, 127, -128], [113, -86, -128, 89]]> : tensor<4x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-128, 121, -18, -4], [11, -71, -56, 52], [127, -128, 127, -128], [127, -128, -128, 63]]> : tensor<4x4xi8>
// wrong (blocks half as long): dense<[[-126, 67, -18, 8], [25, -71, -128, 112], [127, -118, 127, -128], [127, -128, -128, 65]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-126, 127, -18, 10], [19, -63, -94, 120], [127, -128, 127, -128], [127, -128, -128, 83]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>
  }
}
