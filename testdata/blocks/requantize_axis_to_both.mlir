// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table of a scale per column to one with blocks of 2 by 2: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 116, 94], [-15, -112, 105, 19], [46, -12, -94, 18], [-67, -3, -105, -111]]> : tensor<4x4xi8>
// expect: dense<[[-127, 63, 127, 38], [-14, -56, 127, 8], [14, 0, -128, 1], [-15, 1, -128, -16]]> : tensor<4x4xi8>
// wrong (zero point added after rounding, as ONNX; ties rounded away from zero): dense<[[-127, 63, 127, 38], [-14, -57, 127, 8], [14, 0, -128, 1], [-15, 1, -128, -16]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-127, 63, 127, 38], [-14, -56, 127, 8], [13, 0, -128, 0], [-14, 1, -128, -16]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-127, 63, 127, 38], [-14, -57, 127, 8], [13, 0, -128, 0], [-15, 1, -128, -17]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[-127, 63, -73, 38], [-14, -56, 117, 8], [14, 0, 66, 1], [-15, 1, 44, -16]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-63, 32, 127, 9], [-6, -28, 127, 1], [25, -2, -128, 0], [-32, 0, -128, -13]]> : tensor<4x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-128, 125, 127, 19], [-29, -114, 127, 4], [33, -3, -72, -1], [-43, 0, -81, -7]]> : tensor<4x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-128, 61, 127, 40], [-16, -58, 127, 10], [10, -4, -128, 5], [-19, -3, -128, -12]]> : tensor<4x4xi8>
// wrong (blocks half as long): dense<[[-127, 123, 127, 38], [-14, -116, 127, 8], [14, -7, -68, 1], [-15, -4, -77, -16]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-127, 63, 127, 21], [-14, -56, 127, 6], [14, 0, -68, 3], [-15, 1, -77, -3]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:1, {0.5,0.25:3,1.5,0.1:-4}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:1, {0.5,0.25:3,1.5,0.1:-4}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>
  }
}
