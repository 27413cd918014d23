// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table of one scale to one with blocks of 2 rows: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 122, -117], [-97, -118, 61, 0], [105, 24, 35, -38], [58, -34, 32, 61]]> : tensor<4x4xi8>
// expect: dense<[[-101, 103, 99, -92], [-76, -93, 50, 1], [127, 28, 46, -71], [83, -65, 41, 87]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-101, 103, 99, -92], [-76, -93, 50, 1], [127, 28, 45, -71], [82, -64, 41, 87]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-101, 103, 99, -93], [-77, -93, 50, 1], [127, 28, 45, -71], [82, -65, 41, 87]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[-101, 103, 99, -92], [-76, -93, 50, 1], [-98, 28, 46, -71], [83, -65, 41, 87]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-49, 53, 51, -45], [-37, -45, 27, 2], [34, 2, 6, -23], [15, -21, 5, 17]]> : tensor<4x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-128, 127, 127, -128], [-128, -128, 97, 0], [75, 11, 19, -39], [38, -36, 17, 40]]> : tensor<4x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-111, 93, 89, -102], [-86, -103, 40, -9], [127, 38, 56, -61], [93, -55, 51, 97]]> : tensor<4x4xi8>
// wrong (blocks half as long): dense<[[-101, 103, 99, -92], [-128, -128, 87, -10], [85, 21, 29, -29], [83, -65, 41, 87]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-101, 103, 99, -92], [-76, -93, 50, 1], [85, 21, 29, -29], [48, -26, 27, 50]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32, 0.4:2>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32, 0.4:2>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>
  }
}
