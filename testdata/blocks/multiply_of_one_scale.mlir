// clause: multiply: dequantize, multiply, quantize
// Operands of one scale each, and a blocked result.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-52, -108, 123, -1], [36, -110, -66, 21]]> : tensor<2x4xi8>
// args: dense<[[81, -26, 116, -25], [-5, 96, 82, 123]]> : tensor<2x4xi8>
// expect: dense<[[-128, 127, 127, -36], [3, -128, -128, 127]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[-128, 127, 127, -35], [3, -128, -128, 127]]> : tensor<2x4xi8>
// wrong (wrapped instead of saturated): dense<[[43, -120, -63, -36], [3, -114, -126, -89]]> : tensor<2x4xi8>
// wrong (zero point subtracted in the storage type, the literal text): dense<[[-128, 127, -128, -36], [3, -128, -128, -128]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[-128, 127, 127, -14], [3, -128, -128, 127]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-128, 127, 127, -21], [3, -128, -128, 127]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-128, 127, 127, -26], [-7, -128, -128, 127]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[-128, 127, 127, -11], [3, -128, -128, 127]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>, %arg1: tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>> {
    %r = "stablehlo.multiply"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>, tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
  }
}
