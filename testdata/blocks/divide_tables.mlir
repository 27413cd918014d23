// clause: divide: dequantize, divide, quantize; every value has a table of its own
// Operands and result have blocks along different dimensions.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-110, -16, 87, 99], [-1, 91, -18, 127]]> : tensor<2x4xi8>
// args: dense<[[-32, -112, -110, 2], [1, -4, -22, -10]]> : tensor<2x4xi8>
// expect: dense<[[4, 2, -2, 70], [-10, -55, 6, -41]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[4, 2, -1, 69], [-10, -55, 5, -40]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[4, 2, -2, 69], [-10, -55, 5, -41]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[5, 2, -2, 105], [-4, -22, 4, -9]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[36, 4, -9, 127], [-1, -5, 4, 2]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[1, -1, 1, 34], [127, -45, 3, -38]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[4, -1, 1, 70], [-10, -78, 2, -41]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[4, 2, 1, 66], [-128, -3, 0, -2]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{1.5:1}, {0.1}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>> {
    %r = "stablehlo.divide"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{1.5:1}, {0.1}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
  }
}
