// clause: remainder: dequantize, remainder, quantize; every value has a table of its own
// Operands and result have blocks along different dimensions.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[57, -88, -123, 24], [49, -90, -85, 104]]> : tensor<2x4xi8>
// args: dense<[[67, -23, 31, 70], [-9, 121, 76, -80]]> : tensor<2x4xi8>
// expect: dense<[[56, -17, -117, 30], [0, -5, -2, 9]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[56, -17, -117, 30], [0, -5, -1, 9]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[56, -17, -117, 30], [0, -6, -2, 9]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[56, -17, -27, 30], [1, -93, 2, 35]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[3, -3, -3, 2], [15, -31, -16, 32]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[63, -13, -124, 23], [4, 1, -9, 1]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[56, -82, -34, 30], [0, -8, -3, 9]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[56, -17, -34, 23], [4, -23, -22, 25]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{1.5:1}, {0.1}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>> {
    %r = "stablehlo.remainder"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{1.5:1}, {0.1}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
  }
}
