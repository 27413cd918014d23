// clause: tanh: dequantize, tanh, quantize; operand and result have tables of their own
// Blocks along columns become blocks of both.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-60, 93, -86, -55], [-38, 18, 62, -27]]> : tensor<2x4xi8>
// expect: dense<[[0, 4, -5, -5], [0, 0, 5, 3]]> : tensor<2x4xi8>
// wrong (ties rounded away from zero): dense<[[0, 4, -5, -5], [-1, 0, 5, 3]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[0, 4, -5, -5], [0, 0, 5, 2]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[0, 4, -5, -5], [-1, 0, 5, 2]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[1, 3, -2, -2], [-1, 1, 5, 3]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-2, 6, -3, -3], [-1, 1, 4, 4]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-3, 1, -2, -2], [4, 4, 1, -1]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[0, 3, 0, -5], [0, 5, 0, 3]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[0, 4, 0, 0], [0, 0, 0, 0]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>> {
    %r = "stablehlo.tanh"(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
  }
}
