// clause: add: dequantize, add, quantize
// One operand has a scale per column, the other per block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-19, -11, 26, -29], [8, -29, 3, 30]]> : tensor<2x4xi8>
// args: dense<[[18, 23, -25, 21], [-8, 21, 22, -24]]> : tensor<2x4xi8>
// expect: dense<[[-2, 16, 85, -128], [-1, 1, 18, 78]]> : tensor<2x4xi8>
// wrong (ties rounded away from zero): dense<[[-2, 17, 85, -128], [-1, 1, 18, 78]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[-2, 16, 85, -128], [0, 0, 17, 78]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[-2, 16, 85, -128], [-1, 0, 17, 78]]> : tensor<2x4xi8>
// wrong (wrapped instead of saturated): dense<[[-2, 16, 85, 51], [-1, 1, 18, 78]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[8, 19, 7, -31], [-7, 11, 36, 47]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-21, 11, 33, -89], [2, -4, 13, 30]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[5, 24, 78, -128], [6, 7, 10, 71]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[-2, 18, 26, -128], [-1, 4, 6, 78]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[-2, 16, 26, -96], [-1, 1, 6, 23]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:1, {0.5,0.25,1.0,2.0}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>> {
    %r = "stablehlo.add"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32:1, {0.5,0.25,1.0,2.0}>>, tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
  }
}
