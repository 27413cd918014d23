// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table with blocks of 2 rows to one of blocks of one column in i16: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, -3, -17], [10, -92, 89, -14], [90, -62, -114, 38], [63, 6, -66, 109]]> : tensor<4x4xi8>
// expect: dense<[[-555, -11, 90, -108], [135, -168, 243, -107], [342, -120, 11, -91], [275, -95, 51, -78]]> : tensor<4x4xi16>
// wrong (ties rounded away from zero): dense<[[-555, -11, 90, -108], [135, -168, 243, -107], [343, -120, 11, -91], [275, -95, 51, -78]]> : tensor<4x4xi16>
// wrong (rounded toward zero): dense<[[-555, -11, 90, -107], [135, -167, 243, -106], [342, -119, 10, -91], [275, -95, 50, -77]]> : tensor<4x4xi16>
// wrong (rounded down): dense<[[-555, -12, 90, -108], [135, -168, 243, -107], [342, -120, 10, -92], [275, -96, 50, -78]]> : tensor<4x4xi16>
// wrong (scales per block left out): dense<[[-31, 24, 94, -120], [107, -195, 186, -117], [197, -155, -7, -55], [170, -87, 41, 16]]> : tensor<4x4xi16>
// wrong (scale of the next block): dense<[[53, 3, 99, -150], [102, -179, 117, -142], [169, -192, 59, 125], [150, -78, 77, 480]]> : tensor<4x4xi16>
// wrong (scale of the block before): dense<[[75, 210, 98, -117], [101, -338, 131, -114], [137, -375, 24, -25], [127, -35, 58, 93]]> : tensor<4x4xi16>
// wrong (zero point of the next block; zero point of the block before): dense<[[-705, 196, -93, 96], [-15, 39, 60, 97], [118, 77, -198, 107], [50, 101, -158, 120]]> : tensor<4x4xi16>
// wrong (blocks half as long): dense<[[-555, -11, 90, -108], [142, -130, 180, -101], [535, -146, -95, -87], [275, -95, 51, -78]]> : tensor<4x4xi16>
// wrong (blocks twice as long): dense<[[-555, 720, -104, -114], [135, -375, -39, -112], [535, -225, -184, -75], [400, 115, -149, -24]]> : tensor<4x4xi16>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>) -> tensor<4x4x!quant.uniform<i16:f32:{1:1}, {{0.1:100, 0.7:-100, 0.3:100, 1.3:-100}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>) -> tensor<4x4x!quant.uniform<i16:f32:{1:1}, {{0.1:100, 0.7:-100, 0.3:100, 1.3:-100}}>>
    func.return %r : tensor<4x4x!quant.uniform<i16:f32:{1:1}, {{0.1:100, 0.7:-100, 0.3:100, 1.3:-100}}>>
  }
}
