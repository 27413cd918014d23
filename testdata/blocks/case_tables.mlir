// clause: case: branches of a blocked type
// Index 5 takes the last branch.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<5> : tensor<i32>
// args: dense<[[-60, -8, 62, 104], [71, -37, -61, -119]]> : tensor<2x4xi8>
// expect: dense<[[66, 14, 62, 104], [71, 43, 47, 105]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[46, -6, 62, 104], [71, 23, 67, 125]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[66, -6, 62, 104], [71, 23, 67, 105]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[66, 14, 62, 104], [71, 43, 67, 125]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<i32>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>> {
    %r = "stablehlo.case"(%arg0) ({
      stablehlo.return %arg1 : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    }, {
      %n = stablehlo.abs %arg1 : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
      stablehlo.return %n : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    }) : (tensor<i32>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
  }
}
