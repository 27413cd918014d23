// clause: exponential: dequantize, exponential, quantize; operand and result have tables of their own
// Blocks along columns become blocks of both.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[51, -81, -89, 78], [-37, 40, 62, 39]]> : tensor<2x4xi8>
// expect: dense<[[127, 2, -1, 127], [0, 127, 127, 127]]> : tensor<2x4xi8>
// wrong (wrapped instead of saturated): dense<[[0, 2, -1, 0], [0, -124, 120, 41]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[127, -1, 2, 127], [4, 127, 127, 127]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[127, -1, 2, 127], [0, 127, 127, 127]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[127, 2, 2, 127], [0, 127, 127, 127]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>> {
    %r = "stablehlo.exponential"(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
  }
}
