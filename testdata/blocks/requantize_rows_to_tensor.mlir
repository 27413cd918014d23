// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table with blocks of 2 rows to one of one scale: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 96, -42], [-88, 44, -17, 102], [10, -13, -67, -111], [-31, 33, -35, 14]]> : tensor<4x4xi8>
// expect: dense<[[-128, 127, 118, -54], [-112, 53, -23, 126], [13, -2, -36, -63], [-13, 27, -16, 15]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-128, 127, 118, -54], [-111, 53, -23, 125], [12, -1, -35, -63], [-13, 27, -15, 15]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-128, 127, 118, -55], [-112, 53, -23, 125], [12, -2, -36, -63], [-13, 27, -16, 15]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[94, -99, 118, -54], [-112, 53, -23, 126], [13, -2, -36, -63], [-13, 27, -16, 15]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-128, 127, 127, -110], [-128, 104, -48, 127], [44, -13, -128, -128], [-58, 102, -68, 54]]> : tensor<4x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-80, 80, 60, -26], [-55, 28, -10, 64], [23, -6, -73, -128], [-28, 52, -33, 28]]> : tensor<4x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-128, 127, 127, -42], [-99, 66, -10, 127], [6, -8, -42, -69], [-19, 21, -22, 9]]> : tensor<4x4xi8>
// wrong (blocks half as long): dense<[[-128, 127, 118, -54], [-49, 34, -4, 70], [11, -18, -86, -128], [-13, 27, -16, 15]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-128, 127, 118, -54], [-112, 53, -23, 126], [11, -18, -86, -128], [-40, 40, -46, 16]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>) -> tensor<4x4x!quant.uniform<i8:f32, 0.4:2>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>) -> tensor<4x4x!quant.uniform<i8:f32, 0.4:2>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32, 0.4:2>>
  }
}
