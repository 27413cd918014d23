// clause: ceil: dequantize, ceil, quantize; operand and result have tables of their own
// Blocks along columns become blocks of both.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[22, 54, -11, -36], [-128, -101, 32, 111]]> : tensor<2x4xi8>
// expect: dense<[[22, 54, -5, -29], [-32, -26, 17, 44]]> : tensor<2x4xi8>
// wrong (ties rounded away from zero; rounded down): dense<[[22, 54, -5, -29], [-33, -26, 17, 44]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[21, 53, -5, -30], [-128, -104, 43, 122]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[22, 54, -5, -29], [-43, -35, 14, 34]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[29, 61, -10, -34], [-26, -20, 11, 36]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[22, 63, -12, -29], [-32, -27, 8, 44]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[22, 54, -12, -36], [-32, -26, 8, 27]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>> {
    %r = "stablehlo.ceil"(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
  }
}
