// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table with blocks of 2 by 2 to one of a scale per column: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, -103, -122], [118, -67, -41, 25], [-6, -118, 83, -101], [-70, 46, -64, 1]]> : tensor<4x4xi8>
// expect: dense<[[-128, 127, -17, -128], [117, -128, -7, 61], [-32, -128, 42, -128], [-128, 127, -31, 18]]> : tensor<4x4xi8>
// wrong (ties rounded away from zero): dense<[[-128, 127, -17, -128], [117, -128, -7, 61], [-32, -128, 43, -128], [-128, 127, -31, 19]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-128, 127, -17, -128], [117, -128, -6, 61], [-32, -128, 42, -128], [-128, 127, -31, 18]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[127, -1, -17, -50], [117, 123, -7, 61], [-32, 67, 42, 22], [-32, 99, -31, 18]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-128, 127, -68, -128], [127, -128, -27, 127], [-16, -128, 57, -128], [-128, 127, -41, 26]]> : tensor<4x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-64, 127, -34, -128], [58, -65, -13, 126], [-12, -128, 113, -128], [-108, 127, -83, 56]]> : tensor<4x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-127, 127, -17, -128], [119, -128, -7, 56], [-16, -128, 40, -128], [-128, 127, -33, -12]]> : tensor<4x4xi8>
// wrong (blocks half as long): dense<[[-128, 127, -35, -128], [117, -63, -14, 61], [-32, -128, 108, -128], [-128, 127, -88, 18]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-128, 127, -35, -128], [117, -128, -14, 116], [-32, -128, 108, -128], [-128, 127, -88, -24]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>) -> tensor<4x4x!quant.uniform<i8:f32:1, {0.5,0.25:3,1.5,0.1:-4}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>) -> tensor<4x4x!quant.uniform<i8:f32:1, {0.5,0.25:3,1.5,0.1:-4}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:1, {0.5,0.25:3,1.5,0.1:-4}>>
  }
}
