// clause: add: dequantize, add, quantize; every value has a table of its own
// Operands and result have blocks along different dimensions.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-8, 27, -76, 74], [117, -49, -82, -94]]> : tensor<2x4xi8>
// args: dense<[[-118, 77, 20, -98], [-15, 56, 13, -40]]> : tensor<2x4xi8>
// expect: dense<[[-128, 127, 44, -128], [28, -10, -19, -30]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[-128, 127, 44, -128], [27, -10, -19, -30]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[-128, 127, 44, -128], [27, -11, -20, -31]]> : tensor<2x4xi8>
// wrong (wrapped instead of saturated): dense<[[-110, -2, 44, -2], [28, -10, -19, -30]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[-128, 102, -51, -19], [99, 4, -58, -123]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-57, 56, -66, 60], [8, 95, -5, -48]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-128, 127, 43, -128], [34, -4, -27, -38]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[-128, 127, -20, -128], [28, -3, -21, -30]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[-128, 127, -20, -128], [16, 28, -12, -55]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{1.5:1}, {0.1}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>> {
    %r = "stablehlo.add"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{1.5:1}, {0.1}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
  }
}
