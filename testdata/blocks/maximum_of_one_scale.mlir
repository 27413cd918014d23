// clause: maximum: dequantize, maximum, quantize
// Operands of one scale each, and a blocked result.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-63, 9, -98, -43], [109, 113, 78, 71]]> : tensor<2x4xi8>
// args: dense<[[-17, -127, -20, -48], [-122, 3, -69, 74]]> : tensor<2x4xi8>
// expect: dense<[[-4, 11, -25, -53], [71, 74, 93, 88]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[-4, 11, -25, -52], [71, 73, 92, 87]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[-5, 11, -25, -53], [71, 73, 92, 87]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[-1, 7, -12, -18], [37, 38, 18, 17]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-11, 20, -16, -30], [127, 127, 43, 40]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-14, 1, -15, -43], [61, 64, 103, 98]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[-4, 10, -6, -53], [71, 127, 53, 88]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[-4, 11, -6, -20], [71, 74, 53, 50]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>, %arg1: tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>> {
    %r = "stablehlo.maximum"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>, tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
  }
}
