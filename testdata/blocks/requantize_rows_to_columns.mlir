// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table with blocks of 2 rows to one with blocks of 2 columns: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 61, 114], [-95, -122, 112, 4], [-9, -30, 112, 115], [75, -51, -10, -51]]> : tensor<4x4xi8>
// expect: dense<[[-128, 127, 46, 84], [-128, -128, 83, 6], [-5, -58, 48, 49], [127, -110, 4, -11]]> : tensor<4x4xi8>
// wrong (zero point added after rounding, as ONNX): dense<[[-128, 127, 46, 84], [-128, -128, 83, 6], [-5, -58, 47, 49], [127, -110, 4, -11]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-128, 127, 46, 84], [-128, -128, 82, 5], [-5, -57, 47, 48], [127, -110, 3, -10]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-128, 127, 46, 84], [-128, -128, 82, 5], [-5, -58, 47, 48], [127, -110, 3, -11]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[113, 108, 46, 84], [22, -113, 83, 6], [-5, -58, 48, 49], [-51, -110, 4, -11]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-128, 124, 63, 116], [-98, -125, 114, 6], [-2, -23, 124, 127], [82, -44, 2, -39]]> : tensor<4x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-47, 44, 127, 127], [-35, -45, 127, 8], [-1, -16, 127, 127], [59, -31, -10, -128]]> : tensor<4x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-128, 127, 49, 86], [-128, -128, 85, 8], [-25, -78, 39, 40], [127, -128, -5, -19]]> : tensor<4x4xi8>
// wrong (blocks half as long): dense<[[-128, 94, 127, 84], [-128, -36, 127, 9], [-60, -19, 127, 85], [127, -11, -8, -11]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-128, 127, 127, 127], [-128, -128, 127, 5], [-60, -128, 127, 127], [127, -128, -65, -128]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{1:2}, {{0.1, 0.7:5}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{1:2}, {{0.1, 0.7:5}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{1:2}, {{0.1, 0.7:5}}>>
  }
}
