// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table of blocks with a bounded range to one with blocks of 2 columns: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-7, -35, -47, -36], [36, 11, 39, -14], [24, -12, -39, -46], [48, 22, 15, 17]]> : tensor<4x4xi8>
// expect: dense<[[-30, -100, -2, -1], [78, 15, 13, 3], [48, -42, -1, -2], [108, 42, 9, 9]]> : tensor<4x4xi8>
// wrong (zero point added after rounding, as ONNX): dense<[[-30, -100, -3, -1], [78, 15, 13, 3], [48, -42, -1, -2], [108, 42, 9, 9]]> : tensor<4x4xi8>
// wrong (ties rounded away from zero): dense<[[-30, -100, -3, -1], [78, 15, 13, 3], [48, -43, -1, -2], [108, 43, 9, 9]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-30, -100, -2, 0], [77, 15, 12, 3], [47, -42, -1, -2], [107, 42, 8, 8]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-30, -100, -3, -1], [77, 15, 12, 3], [47, -43, -2, -3], [107, 42, 8, 8]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-12, -40, -37, -26], [31, 6, 49, -4], [19, -17, -29, -36], [43, 17, 25, 27]]> : tensor<4x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-2, -7, -100, -72], [6, 1, 115, -18], [3, -3, -80, -98], [8, 3, 55, 60]]> : tensor<4x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[0, -70, -9, -7], [108, 45, 6, -3], [78, -12, -8, -9], [127, 72, 2, 2]]> : tensor<4x4xi8>
// wrong (blocks half as long): dense<[[-30, 0, -128, -1], [78, 8, 85, 3], [48, 4, -110, -2], [108, 10, 25, 9]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-30, -100, -128, -102], [78, 15, 85, -48], [48, -42, -110, -128], [108, 42, 25, 30]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8<-50:50>:f32:{1:2}, {{0.25:5, 0.125:-5}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{1:2}, {{0.1, 0.7:5}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8<-50:50>:f32:{1:2}, {{0.25:5, 0.125:-5}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{1:2}, {{0.1, 0.7:5}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{1:2}, {{0.1, 0.7:5}}>>
  }
}
