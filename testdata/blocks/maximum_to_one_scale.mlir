// clause: maximum: dequantize, maximum, quantize
// Blocked operands, and a result of one scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-2, 10, 0, 6], [13, -7, -3, 1]]> : tensor<2x4xi8>
// args: dense<[[5, 11, -16, -3], [20, -8, -18, 5]]> : tensor<2x4xi8>
// expect: dense<[[0, 10, 1, 6], [127, -22, -2, 2]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[0, 9, 0, 5], [127, -21, -1, 1]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[0, 9, 0, 5], [127, -22, -2, 1]]> : tensor<2x4xi8>
// wrong (wrapped instead of saturated): dense<[[0, 10, 1, 6], [-128, -22, -2, 2]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[5, 25, 18, 38], [62, -32, 8, 22]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-2, 2, 7, 17], [45, -13, 2, 8]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[5, 23, -8, -2], [102, -5, -10, 7]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[0, 9, -10, 6], [127, -5, -15, 2]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[0, 10, -10, 0], [127, -22, -15, 28]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>) -> tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>> {
    %r = "stablehlo.maximum"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>) -> tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>
  }
}
