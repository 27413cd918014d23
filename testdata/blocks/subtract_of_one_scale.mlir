// clause: subtract: dequantize, subtract, quantize
// Operands of one scale each, and a blocked result.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[14, -7, -66, 41], [-38, 20, 107, -115]]> : tensor<2x4xi8>
// args: dense<[[-107, 54, -86, 18], [39, -119, 37, 19]]> : tensor<2x4xi8>
// expect: dense<[[76, -34, 17, 21], [-43, 86, 77, -128]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[75, -33, 17, 20], [-43, 86, 77, -128]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[75, -34, 17, 20], [-44, 86, 77, -128]]> : tensor<2x4xi8>
// wrong (wrapped instead of saturated): dense<[[76, -34, 17, 21], [-43, 86, 77, 88]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[39, -15, -1, 0], [-20, 45, 14, -47]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[127, -70, 5, 7], [-89, 127, 35, -87]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[66, -44, 27, 31], [-53, 76, 87, -128]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[76, -80, 15, 21], [-43, 127, 45, -128]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[76, -34, 15, 17], [-43, 86, 45, -77]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>, %arg1: tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>> {
    %r = "stablehlo.subtract"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>, tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
  }
}
