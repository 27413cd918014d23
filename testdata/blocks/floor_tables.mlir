// clause: floor: dequantize, floor, quantize; operand and result have tables of their own
// Blocks along columns become blocks of both.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[31, -67, -72, 121], [119, -90, -3, 82]]> : tensor<2x4xi8>
// expect: dense<[[30, -68, -69, 127], [29, -24, 5, 33]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[30, -68, -69, 127], [29, -23, 5, 33]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[30, -68, -66, 127], [116, -93, 8, 93]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[30, -70, -67, 127], [39, -32, 5, 26]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[37, -61, -74, 118], [36, -17, -3, 25]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[30, -61, -74, 127], [29, -24, -2, 33]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[30, -68, -74, 120], [29, -24, -2, 20]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>> {
    %r = "stablehlo.floor"(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
  }
}
