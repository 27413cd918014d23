// clause: negate: dequantize, negate, quantize; operand and result have tables of their own
// Blocks along columns become blocks of both.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-89, -70, 59, 94], [84, 99, -94, -28]]> : tensor<2x4xi8>
// expect: dense<[[94, 75, -67, -102], [-20, -24, 33, 11]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[94, 75, -67, -102], [-21, -24, 33, 11]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[94, 75, -67, -102], [-81, -96, 91, 25]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[94, 75, -67, -102], [-27, -32, 26, 9]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[81, 62, -54, -89], [-19, -22, 32, 10]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[94, 62, -54, -102], [-20, -31, 24, 11]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[94, 75, -54, -89], [-20, -24, 24, 8]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>> {
    %r = "stablehlo.negate"(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
  }
}
