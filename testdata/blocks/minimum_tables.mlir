// clause: minimum: dequantize, minimum, quantize; every value has a table of its own
// Operands and result have blocks along different dimensions.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[67, -15, -101, -25], [-46, 41, 113, 97]]> : tensor<2x4xi8>
// args: dense<[[-115, -88, -111, -71], [122, 3, -57, -107]]> : tensor<2x4xi8>
// expect: dense<[[-128, -128, -128, -128], [-12, 0, -4, -10]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[-128, -128, -128, -128], [-12, 0, -3, -10]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[-128, -128, -128, -128], [-13, 0, -4, -11]]> : tensor<2x4xi8>
// wrong (wrapped instead of saturated): dense<[[-90, -9, 95, 79], [-12, 0, -4, -10]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[-114, -87, -113, -73], [-49, 3, -53, -103]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-44, -34, -95, -19], [-16, 6, -39, -76]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-128, -128, -128, -128], [-6, 4, -8, -14]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[-128, -128, -128, -128], [-12, 4, -3, -10]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[-128, -128, -128, -128], [-12, 2, -44, -81]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{1.5:1}, {0.1}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>> {
    %r = "stablehlo.minimum"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{1.5:1}, {0.1}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>
  }
}
