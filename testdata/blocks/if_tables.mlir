// clause: if: branches of a blocked type
// The false branch.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<false> : tensor<i1>
// args: dense<[[-60, -8, 62, 104], [71, -37, -61, -119]]> : tensor<2x4xi8>
// expect: dense<[[66, 14, -76, -118], [-65, 43, 47, 105]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[46, -6, -56, -98], [-85, 23, 67, 125]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[66, -6, -56, -118], [-65, 23, 67, 105]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[66, 14, -56, -98], [-65, 43, 67, 125]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<i1>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>> {
    %r = "stablehlo.if"(%arg0) ({
      stablehlo.return %arg1 : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    }, {
      %n = stablehlo.negate %arg1 : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
      stablehlo.return %n : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    }) : (tensor<i1>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
  }
}
