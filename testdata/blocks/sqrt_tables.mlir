// clause: sqrt: dequantize, sqrt, quantize; operand and result have tables of their own
// Blocks along columns become blocks of both.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[28, 97, 98, 72], [-56, 0, 57, 46]]> : tensor<2x4xi8>
// expect: dense<[[9, 16, 19, 17], [0, 0, 9, 9]]> : tensor<2x4xi8>
// wrong (rounded toward zero; rounded down): dense<[[9, 15, 19, 16], [0, 0, 9, 8]]> : tensor<2x4xi8>
// wrong (NaN quantized to storage_min): dense<[[9, 16, 19, 17], [-128, -128, 9, 9]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[7, 12, 9, 8], [0, 0, 12, 11]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[12, 21, 13, 12], [0, 0, 7, 7]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[7, 13, 21, 19], [0, 5, 5, 4]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[9, 19, 16, 17], [0, 6, 3, 9]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[9, 16, 16, 14], [0, 0, 3, 2]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>> {
    %r = "stablehlo.sqrt"(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
  }
}
