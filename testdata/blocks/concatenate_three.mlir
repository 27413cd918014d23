// clause: concatenate: an element keeps its parameters where it moves (S10)
// Three operands, the middle one of two blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[117, 66]]> : tensor<1x2xi8>
// args: dense<[[68, -47, 5, 26]]> : tensor<1x4xi8>
// args: dense<[[126, 0]]> : tensor<1x2xi8>
// expect: dense<[[117, 66, 68, -47, 5, 26, 126, 0]]> : tensor<1x8xi8>
// expect: dense<[[234.0, 132.0, 32.5, -25.0, 3.0, 8.25, 14.625, -1.125]]> : tensor<1x8xf32>
// wrong (scales per block left out): dense<[[117, 66, 68, -47, 5, 26, 126, 0]]> : tensor<1x8xi8>; dense<[[117.0, 66.0, 65.0, -5.0e+01, 12.0, 33.0, 117.0, -9.0]]> : tensor<1x8xf32>
// wrong (scale of the next block): dense<[[117, 66, 68, -47, 5, 26, 126, 0]]> : tensor<1x8xi8>; dense<[[58.5, 33.0, 16.25, -12.5, 1.5, 4.125, 234.0, -18.0]]> : tensor<1x8xf32>
// wrong (scale of the block before): dense<[[117, 66, 68, -47, 5, 26, 126, 0]]> : tensor<1x8xi8>; dense<[[14.625, 8.25, 1.3e+02, -1.0e+02, 6.0, 16.5, 29.25, -2.25]]> : tensor<1x8xf32>
// wrong (zero point of the next block): dense<[[117, 66, 68, -47, 5, 26, 126, 0]]> : tensor<1x8xi8>; dense<[[228.0, 126.0, 37.5, -2.0e+01, -1.0, 4.25, 15.75, 0.0]]> : tensor<1x8xf32>
// wrong (zero point of the block before): dense<[[117, 66, 68, -47, 5, 26, 126, 0]]> : tensor<1x8xi8>; dense<[[216.0, 114.0, 34.0, -23.5, 0.5, 5.75, 16.625, 0.875]]> : tensor<1x8xf32>
// wrong (blocks half as long): dense<[[117, 66, 68, -47, 5, 26, 126, 0]]> : tensor<1x8xi8>; dense<[[234.0, 31.5, 18.75, -7.0, 1.0e+01, 11.5, 33.25, -1.125]]> : tensor<1x8xf32>
// wrong (blocks twice as long): dense<[[117, 66, 68, -47, 5, 26, 126, 0]]> : tensor<1x8xi8>; dense<[[234.0, 132.0, 136.0, -94.0, 1.0, 11.5, 61.5, -1.5]]> : tensor<1x8xf32>
module {
  func.func @main(%arg0: tensor<1x2x!quant.uniform<i8:f32, 2.0>>, %arg1: tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg2: tensor<1x2x!quant.uniform<i8:f32, 0.125:9>>) -> (tensor<1x8x!quant.uniform<i8:f32:{1:2}, {{2.0, 0.5:3, 0.25:-7, 0.125:9}}>>, tensor<1x8xf32>) {
    %r = "stablehlo.concatenate"(%arg0, %arg1, %arg2) {dimension = 1 : i64} : (tensor<1x2x!quant.uniform<i8:f32, 2.0>>, tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<1x2x!quant.uniform<i8:f32, 0.125:9>>) -> tensor<1x8x!quant.uniform<i8:f32:{1:2}, {{2.0, 0.5:3, 0.25:-7, 0.125:9}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<1x8x!quant.uniform<i8:f32:{1:2}, {{2.0, 0.5:3, 0.25:-7, 0.125:9}}>>) -> tensor<1x8xf32>
    func.return %r, %d : tensor<1x8x!quant.uniform<i8:f32:{1:2}, {{2.0, 0.5:3, 0.25:-7, 0.125:9}}>>, tensor<1x8xf32>
  }
}
