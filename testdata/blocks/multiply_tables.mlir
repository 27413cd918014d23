// clause: multiply: dequantize, multiply, quantize; every value has a table of its own
// Operands and result have blocks along different dimensions.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[36, -50, 82, -89], [22, -30, 99, 21]]> : tensor<2x4xi8>
// args: dense<[[-59, 0, 67, -47], [41, -124, 58, -106]]> : tensor<2x4xi8>
// expect: dense<[[-128, 82, 127, 127], [19, 102, 127, -95]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[-128, 81, 127, 127], [19, 102, 127, -94]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[-128, 81, 127, 127], [19, 102, 127, -95]]> : tensor<2x4xi8>
// wrong (wrapped instead of saturated): dense<[[104, 82, 106, 15], [19, 102, -47, -95]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[-128, 55, 127, 127], [127, 127, 127, -128]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-128, 7, 127, 127], [127, 127, 127, -128]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-128, -1, 127, 127], [33, 76, 127, -64]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[-128, 64, 127, 127], [19, 99, 127, -95]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[-128, 82, 127, 127], [127, 127, 127, -128]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{1.5:1}, {0.1}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>> {
    %r = "stablehlo.multiply"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{1.5:1}, {0.1}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
  }
}
