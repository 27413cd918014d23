// clause: func.call: a function of a blocked type
// A function negates, by its own table.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-60, -8, 62, 104], [71, -37, -61, -119]]> : tensor<2x4xi8>
// expect: dense<[[66, 14, -76, -118], [-65, 43, 47, 105]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[46, -6, -56, -98], [-85, 23, 67, 125]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[66, -6, -56, -118], [-65, 23, 67, 105]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[66, 14, -56, -98], [-65, 43, 67, 125]]> : tensor<2x4xi8>
module {
  func.func private @f(%x: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>> {
    %0 = stablehlo.negate %x : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    return %0 : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
  }
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>> {
    %r = func.call @f(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
  }
}
