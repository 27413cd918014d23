// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table with blocks of one element to one with blocks of 2 by 2: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, -68, -106], [-105, 65, 41, 14], [-8, -110, 30, -125], [-89, -73, -112, -27]]> : tensor<4x4xi8>
// expect: dense<[[-127, 64, -128, -128], [-128, 17, 127, 2], [-18, -19, 127, -128], [-2, -24, -47, -49]]> : tensor<4x4xi8>
// wrong (zero point added after rounding, as ONNX; ties rounded away from zero): dense<[[-127, 65, -128, -128], [-128, 17, 127, 3], [-18, -19, 127, -128], [-2, -24, -47, -49]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-127, 64, -128, -128], [-128, 17, 127, 2], [-18, -18, 127, -128], [-2, -23, -46, -48]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-127, 64, -128, -128], [-128, 17, 127, 2], [-18, -19, 127, -128], [-3, -24, -47, -49]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[-127, 64, -33, -63], [-58, 17, -21, 2], [-18, -19, -98, 108], [-2, -24, -47, -49]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-127, 127, -69, -107], [-104, 66, 40, 13], [-6, -108, 28, -127], [-87, -71, -114, -29]]> : tensor<4x4xi8>
// wrong (scale of the next block): dense<[[-127, 127, -103, -107], [-52, 127, 4, 41], [-2, -128, 11, -128], [-81, -27, -75, -3]]> : tensor<4x4xi8>
// wrong (scale of the block before): dense<[[-128, 127, -35, -128], [-25, 127, 9, 83], [-7, -128, 4, -128], [-128, -8, -41, -6]]> : tensor<4x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-128, 62, -128, -128], [-128, 15, 127, 4], [-22, -23, 127, -128], [-6, -28, -43, -45]]> : tensor<4x4xi8>
// wrong (blocks half as long): dense<[[-127, 126, -128, -128], [-128, 32, 127, 2], [-18, -57, 62, -128], [-2, -70, -15, -49]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-127, 127, -33, -52], [-128, 127, 11, 4], [-18, -128, 8, -21], [-2, -2, -37, -7]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0, 0.75}, {1.5, 0.125, 3.0, 0.0625}, {5.0, 0.375, 4.0, 0.875}, {0.1, 0.7, 0.3, 1.3}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0, 0.75}, {1.5, 0.125, 3.0, 0.0625}, {5.0, 0.375, 4.0, 0.875}, {0.1, 0.7, 0.3, 1.3}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>
  }
}
