// clause: subtract: dequantize, subtract, quantize
// Blocked operands, and a result of one scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[20, 20, 8, -3], [-9, 2, 7, 17]]> : tensor<2x4xi8>
// args: dense<[[0, 20, 15, -8], [0, -14, -17, -6]]> : tensor<2x4xi8>
// expect: dense<[[27, -7, -6, 4], [-25, 87, 59, 40]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[26, -6, -5, 4], [-25, 86, 59, 40]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[26, -7, -6, 4], [-25, 86, 59, 40]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[58, -8, -8, 32], [-45, 38, 112, 108]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[11, -6, -7, 13], [-15, 29, 127, 102]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[38, 5, -12, -2], [18, 127, 41, 22]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[27, 0, -18, 4], [-25, 47, 115, 40]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[27, -7, -18, 2], [-25, 87, 115, 58]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>) -> tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>> {
    %r = "stablehlo.subtract"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>) -> tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>
  }
}
