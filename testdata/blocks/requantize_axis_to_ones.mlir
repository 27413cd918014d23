// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table of a scale per column to one with blocks of one element: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 52, -15], [-27, -66, -67, -41], [-6, 12, -63, -125], [121, 76, -103, 10]]> : tensor<4x4xi8>
// expect: dense<[[-128, 124, 39, -1], [-9, -128, -34, -59], [-1, 6, -24, -14], [127, 26, -128, 1]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-128, 124, 39, -1], [-9, -128, -33, -59], [0, 6, -23, -13], [127, 26, -128, 1]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-128, 124, 39, -2], [-9, -128, -34, -60], [-1, 6, -24, -14], [127, 26, -128, 1]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[-128, 124, 39, -1], [-9, 118, -34, -59], [-1, 6, -24, -14], [93, 26, -3, 1]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-64, 31, 78, -1], [-14, -17, -100, -4], [-3, 2, -94, -12], [60, 18, -128, 1]]> : tensor<4x4xi8>
// wrong (scale of the next block): dense<[[-128, 16, 104, -2], [-108, -6, -128, -2], [-8, 1, -108, -2], [86, 61, -119, 14]]> : tensor<4x4xi8>
// wrong (scale of the block before): dense<[[-85, 62, 127, -1], [-128, -12, -128, -1], [-3, 0, -128, -3], [47, 127, -128, 5]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-128, 62, 127, -4], [-9, -12, -128, -30], [-1, 0, -128, -32], [127, 127, -128, 2]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:1, {0.5,0.25:3,1.5,0.1:-4}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0, 0.75}, {1.5, 0.125, 3.0, 0.0625}, {5.0, 0.375, 4.0, 0.875}, {0.1, 0.7, 0.3, 1.3}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:1, {0.5,0.25:3,1.5,0.1:-4}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0, 0.75}, {1.5, 0.125, 3.0, 0.0625}, {5.0, 0.375, 4.0, 0.875}, {0.1, 0.7, 0.3, 1.3}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0, 0.75}, {1.5, 0.125, 3.0, 0.0625}, {5.0, 0.375, 4.0, 0.875}, {0.1, 0.7, 0.3, 1.3}}>>
  }
}
