// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// The same table: every element stays.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 8, -27], [-53, 33, -10, 23], [83, 8, -17, 29], [-117, 9, 117, 67]]> : tensor<4x4xi8>
// expect: dense<[[-128, 127, 8, -27], [-53, 33, -10, 23], [83, 8, -17, 29], [-117, 9, 117, 67]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>
  }
}
