// clause: multiply: dequantize, multiply, quantize
// Blocked operands, and a result of one scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[9, -10, 3, 3], [-2, 16, -14, 8]]> : tensor<2x4xi8>
// args: dense<[[-7, 7, -7, -13], [-17, -17, -17, -10]]> : tensor<2x4xi8>
// expect: dense<[[-50, -59, -18, -30], [127, -128, 87, -128]]> : tensor<2x4xi8>
// wrong (zero point added after rounding, as ONNX): dense<[[-50, -59, -17, -30], [127, -128, 87, -128]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[-50, -59, -17, -29], [127, -128, 86, -128]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[-50, -60, -18, -30], [127, -128, 86, -128]]> : tensor<2x4xi8>
// wrong (wrapped instead of saturated): dense<[[-50, -59, -18, -30], [22, 26, 87, 120]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[-128, -128, -128, -128], [127, -128, 127, -128]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-16, -19, -55, -105], [48, -128, 127, -128]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-85, -25, -5, -5], [-128, -128, 127, -36]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[-50, -10, -5, -30], [127, -128, 127, -128]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[-50, -59, -5, -5], [127, -128, 127, -128]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>) -> tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>> {
    %r = "stablehlo.multiply"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>) -> tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>
  }
}
