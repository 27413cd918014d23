// clause: while: a state of a blocked type
// Two additions, each of which saturates in its own block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-60, -8, 62, 104], [71, -37, -61, -119]]> : tensor<2x4xi8>
// args: dense<[[46, -85, -110, -82], [-65, 104, -6, 71]]> : tensor<2x4xi8>
// expect: dense<[[26, -128, -128, -46], [-65, 127, -59, 37]]> : tensor<2x4xi8>
// wrong (wrapped instead of saturated): dense<[[26, 72, 112, -46], [-65, -91, -59, 37]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[46, -128, -128, -66], [-45, 127, -79, 17]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[26, -128, -128, -46], [-65, 127, -79, 37]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[26, -128, -128, -66], [-65, 127, -79, 17]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>> {
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %c2 = stablehlo.constant dense<2> : tensor<i32>
    %i, %r = stablehlo.while(%k = %c0, %s = %arg0) : tensor<i32>, tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    cond {
      %p = stablehlo.compare LT, %k, %c2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %n = stablehlo.add %k, %c1 : tensor<i32>
      %t = stablehlo.add %s, %arg1 : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
      stablehlo.return %n, %t : tensor<i32>, tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    }
    func.return %r : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
  }
}
