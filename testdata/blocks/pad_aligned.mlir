// clause: pad: padding has the parameters of the padding value (S10)
// A block of padding on each side.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[84, -118, 35, 29]]> : tensor<1x4xi8>
// args: dense<123> : tensor<i8>
// expect: dense<[[123, 123, 84, -118, 35, 29, 123, 123]]> : tensor<1x8xi8>
// expect: dense<[[244.0, 244.0, 40.5, -60.5, 10.5, 9.0, 244.0, 244.0]]> : tensor<1x8xf32>
// wrong (scales per block left out): dense<[[123, 123, 84, -118, 35, 29, 123, 123]]> : tensor<1x8xi8>; dense<[[122.0, 122.0, 81.0, -121.0, 42.0, 36.0, 122.0, 122.0]]> : tensor<1x8xf32>
// wrong (scale of the next block): dense<[[123, 123, 84, -118, 35, 29, 123, 123]]> : tensor<1x8xi8>; dense<[[61.0, 61.0, 20.25, -30.25, 84.0, 72.0, 244.0, 244.0]]> : tensor<1x8xf32>
// wrong (scale of the block before): dense<[[123, 123, 84, -118, 35, 29, 123, 123]]> : tensor<1x8xi8>; dense<[[244.0, 244.0, 162.0, -242.0, 21.0, 18.0, 30.5, 30.5]]> : tensor<1x8xf32>
// wrong (zero point of the next block): dense<[[123, 123, 84, -118, 35, 29, 123, 123]]> : tensor<1x8xi8>; dense<[[2.4e+02, 2.4e+02, 45.5, -55.5, 8.5, 7.0, 244.0, 244.0]]> : tensor<1x8xf32>
// wrong (zero point of the block before): dense<[[123, 123, 84, -118, 35, 29, 123, 123]]> : tensor<1x8xi8>; dense<[[244.0, 244.0, 41.5, -59.5, 8.0, 6.5, 2.6e+02, 2.6e+02]]> : tensor<1x8xf32>
// wrong (blocks half as long): dense<[[123, 123, 84, -118, 35, 29, 123, 123]]> : tensor<1x8xi8>; dense<[[244.0, 6.0e+01, 22.75, -238.0, 68.0, 13.0, 32.5, 244.0]]> : tensor<1x8xf32>
// wrong (blocks twice as long): dense<[[123, 123, 84, -118, 35, 29, 123, 123]]> : tensor<1x8xi8>; dense<[[244.0, 244.0, 166.0, -238.0, 16.0, 13.0, 6.0e+01, 6.0e+01]]> : tensor<1x8xf32>
module {
  func.func @main(%arg0: tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 2.0:1>>) -> (tensor<1x8x!quant.uniform<i8:f32:{1:2}, {{2.0:1, 0.5:3, 0.25:-7, 2.0:1}}>>, tensor<1x8xf32>) {
    %r = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 0, 2>, edge_padding_high = array<i64: 0, 2>, interior_padding = array<i64: 0, 0>} : (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 2.0:1>>) -> tensor<1x8x!quant.uniform<i8:f32:{1:2}, {{2.0:1, 0.5:3, 0.25:-7, 2.0:1}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<1x8x!quant.uniform<i8:f32:{1:2}, {{2.0:1, 0.5:3, 0.25:-7, 2.0:1}}>>) -> tensor<1x8xf32>
    func.return %r, %d : tensor<1x8x!quant.uniform<i8:f32:{1:2}, {{2.0:1, 0.5:3, 0.25:-7, 2.0:1}}>>, tensor<1x8xf32>
  }
}
