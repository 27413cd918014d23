// clause: add: dequantize, add, quantize
// Operands of one scale each, and a blocked result.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-1, -37, -2, 114], [15, -83, 25, -125]]> : tensor<2x4xi8>
// args: dense<[[21, 31, -29, 83], [88, 19, 92, 103]]> : tensor<2x4xi8>
// expect: dense<[[21, 5, -32, 127], [71, -29, 127, -21]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[21, 5, -32, 127], [70, -29, 127, -21]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[21, 5, -33, 127], [70, -30, 127, -22]]> : tensor<2x4xi8>
// wrong (wrapped instead of saturated): dense<[[21, 5, -32, -15], [71, -29, -111, -21]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[12, 4, -13, 55], [37, -13, 31, -11]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[39, 8, -20, 117], [127, -62, 69, -14]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[11, -5, -22, 127], [61, -39, 127, -11]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[21, -2, -10, 127], [71, -72, 79, -21]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[21, 5, -10, 127], [71, -29, 79, -4]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>, %arg1: tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>> {
    %r = "stablehlo.add"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>, tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
  }
}
