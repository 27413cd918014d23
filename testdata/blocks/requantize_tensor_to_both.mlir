// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table of one scale to one with blocks of 2 by 2: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 65, -75], [-115, -61, 30, -15], [9, -6, 39, -33], [94, -79, -76, 36]]> : tensor<4x4xi8>
// expect: dense<[[-103, 101, 100, -124], [-93, -49, 44, -28], [3, 0, 18, -21], [20, -14, -44, 16]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-103, 101, 99, -124], [-92, -49, 43, -28], [3, 0, 17, -20], [20, -14, -43, 16]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-103, 101, 99, -125], [-93, -50, 43, -29], [3, 0, 17, -21], [20, -15, -44, 16]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-51, 51, 24, -32], [-46, -24, 10, -8], [5, -1, 13, -16], [39, -30, -33, 12]]> : tensor<4x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-128, 127, 49, -63], [-128, -100, 21, -15], [6, -2, 5, -9], [51, -41, -18, 5]]> : tensor<4x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-105, 99, 102, -122], [-95, -51, 46, -26], [-1, -4, 22, -17], [16, -18, -40, 20]]> : tensor<4x4xi8>
// wrong (blocks half as long): dense<[[-103, 127, 51, -124], [-93, -102, 23, -28], [3, -6, 9, -21], [20, -45, -14, 16]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-103, 101, 51, -61], [-93, -49, 23, -13], [3, 0, 9, -5], [20, -14, -14, 9]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32, 0.4:2>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32, 0.4:2>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>
  }
}
