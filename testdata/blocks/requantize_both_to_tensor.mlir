// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table with blocks of 2 by 2 to one of one scale: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 48, -62], [87, 21, 10, 109], [49, 85, 20, 86], [81, -110, 83, -49]]> : tensor<4x4xi8>
// expect: dense<[[-128, 127, 33, -36], [110, 27, 9, 71], [127, 127, 43, 127], [127, -128, 127, -86]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-128, 127, 32, -36], [109, 27, 8, 70], [127, 127, 43, 127], [127, -128, 127, -86]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-128, 127, 32, -37], [109, 27, 8, 70], [127, 127, 43, 127], [127, -128, 127, -87]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[97, -96, 33, -36], [110, 27, 9, 71], [-19, -95, 43, -89], [-115, -46, -95, -86]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-128, 127, 124, -128], [127, 52, 30, 127], [120, 127, 57, 127], [127, -128, 127, -116]]> : tensor<4x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-79, 81, 63, -74], [56, 14, 16, 127], [90, 127, 112, 127], [127, -128, 127, -128]]> : tensor<4x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-128, 127, 31, -37], [112, 30, 8, 70], [127, 127, 36, 127], [127, -128, 127, -94]]> : tensor<4x4xi8>
// wrong (blocks half as long): dense<[[-128, 82, 61, -36], [110, 16, 13, 71], [127, 127, 92, 127], [127, -128, 127, -86]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-128, 127, 61, -77], [110, 27, 13, 127], [127, 127, 92, 127], [127, -128, 127, -128]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>) -> tensor<4x4x!quant.uniform<i8:f32, 0.4:2>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>) -> tensor<4x4x!quant.uniform<i8:f32, 0.4:2>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32, 0.4:2>>
  }
}
