// clause: subtract: dequantize, subtract, quantize; every value has a table of its own
// Operands and result have blocks along different dimensions.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-46, -9, 28, 4], [-106, -87, -105, 108]]> : tensor<2x4xi8>
// args: dense<[[15, 113, 47, -54], [-28, -94, 83, -25]]> : tensor<2x4xi8>
// expect: dense<[[-89, -128, -128, 127], [-26, -18, -40, 46]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[-89, -128, -128, 127], [-25, -17, -39, 45]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[-89, -128, -128, 127], [-26, -18, -40, 45]]> : tensor<2x4xi8>
// wrong (wrapped instead of saturated): dense<[[-89, -90, 14, 84], [-26, -18, -40, 46]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[-61, -122, -12, 65], [-81, 4, -128, 127]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-53, -55, 25, 21], [20, 127, -83, 52]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-85, -128, -128, 127], [-19, -11, -47, 38]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[-89, -128, -111, 127], [-26, -10, -31, 46]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[-89, -128, -111, 127], [-6, 49, -88, 46]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{1.5:1}, {0.1}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>> {
    %r = "stablehlo.subtract"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{1.5:1}, {0.1}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
  }
}
