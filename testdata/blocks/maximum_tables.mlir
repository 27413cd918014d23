// clause: maximum: dequantize, maximum, quantize; every value has a table of its own
// Operands and result have blocks along different dimensions.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[85, 5, -56, 38], [-102, 33, -69, 78]]> : tensor<2x4xi8>
// args: dense<[[-108, 125, 70, -81], [92, -21, -44, 44]]> : tensor<2x4xi8>
// expect: dense<[[84, 127, 127, 44], [5, 8, -2, 32]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[84, 127, 127, 44], [4, 7, -1, 32]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[84, 127, 127, 44], [4, 7, -2, 32]]> : tensor<2x4xi8>
// wrong (wrapped instead of saturated): dense<[[84, 118, -99, 44], [5, 8, -2, 32]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[84, 126, 68, 44], [92, 30, -40, 89]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[84, 52, 13, 44], [127, 10, -12, 37]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[91, 127, 127, 37], [9, 14, -6, 25]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[84, 127, 127, 44], [5, 17, -2, 32]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[84, 127, 127, 37], [68, 8, -18, 32]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{1.5:1}, {0.1}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>> {
    %r = "stablehlo.maximum"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{1.5:1}, {0.1}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
  }
}
