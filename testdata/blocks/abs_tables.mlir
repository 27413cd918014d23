// clause: abs: dequantize, abs, quantize; operand and result have tables of their own
// Blocks along columns become blocks of both.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[26, 117, 88, -68], [-43, 62, -45, -38]]> : tensor<2x4xi8>
// expect: dense<[[25, 116, 94, 60], [12, 15, 17, 14]]> : tensor<2x4xi8>
// wrong (rounded toward zero; rounded down): dense<[[25, 116, 94, 60], [11, 14, 16, 14]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[25, 116, 94, 60], [46, 59, 42, 35]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[25, 116, 94, 60], [15, 20, 14, 12]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[32, 123, 87, 73], [13, 21, 16, 14]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[25, 123, 87, 60], [12, 27, 12, 14]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[25, 116, 87, 73], [12, 15, 12, 10]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>> {
    %r = "stablehlo.abs"(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
  }
}
