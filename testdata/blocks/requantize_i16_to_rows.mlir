// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table of blocks of one column in i16 to one with blocks of 2 rows: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-32768, 32767, -22296, -9365], [-27137, 16157, 27632, 17074], [-27075, 23801, -25813, 16045], [32263, 8512, 22349, 22058]]> : tensor<4x4xi16>
// expect: dense<[[-128, 127, -128, -128], [-128, 127, 127, 127], [-128, 127, -128, 127], [127, 127, 127, 127]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[85, -63, -123, -22], [-68, -21, -118, 111], [-125, 100, -127, -21], [58, 43, 68, 15]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i16:f32:{1:1}, {{0.1:100, 0.7:-100, 0.3:100, 1.3:-100}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i16:f32:{1:1}, {{0.1:100, 0.7:-100, 0.3:100, 1.3:-100}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>
  }
}
