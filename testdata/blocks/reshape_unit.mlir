// clause: reshape: an element keeps its parameters where it moves (S10)
// A dimension of one element appears.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-52, 30, 119, -46], [-104, -87, 79, -112]]> : tensor<2x4xi8>
// expect: dense<[[[-52, 30, 119, -46]], [[-104, -87, 79, -112]]]> : tensor<2x1x4xi8>
// expect: dense<[[[-27.5, 13.5, 31.5, -9.75]], [[-53.5, -45.0, 21.5, -26.25]]]> : tensor<2x1x4xf32>
// wrong (scales per block left out): dense<[[[-52, 30, 119, -46]], [[-104, -87, 79, -112]]]> : tensor<2x1x4xi8>; dense<[[[-55.0, 27.0, 126.0, -39.0]], [[-107.0, -9.0e+01, 86.0, -105.0]]]> : tensor<2x1x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[[-52, 30, 119, -46]], [[-104, -87, 79, -112]]]> : tensor<2x1x4xi8>; dense<[[[-13.75, 6.75, 63.0, -19.5]], [[-26.75, -22.5, 43.0, -52.5]]]> : tensor<2x1x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[[-52, 30, 119, -46]], [[-104, -87, 79, -112]]]> : tensor<2x1x4xi8>; dense<[[[-22.5, 18.5, 29.0, -12.25]], [[-48.5, -4.0e+01, 19.0, -28.75]]]> : tensor<2x1x4xf32>
// wrong (blocks half as long): dense<[[[-52, 30, 119, -46]], [[-104, -87, 79, -112]]]> : tensor<2x1x4xi8>; dense<[[[-27.5, 9.25, 58.0, -9.75]], [[-53.5, -2.0e+01, 38.0, -26.25]]]> : tensor<2x1x4xf32>
// wrong (blocks twice as long): dense<[[[-52, 30, 119, -46]], [[-104, -87, 79, -112]]]> : tensor<2x1x4xi8>; dense<[[[-27.5, 13.5, 58.0, -24.5]], [[-53.5, -45.0, 38.0, -57.5]]]> : tensor<2x1x4xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> (tensor<2x1x4x!quant.uniform<i8:f32:{2:2}, {{{0.5:3, 0.25:-7}}}>>, tensor<2x1x4xf32>) {
    %r = "stablehlo.reshape"(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x1x4x!quant.uniform<i8:f32:{2:2}, {{{0.5:3, 0.25:-7}}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x1x4x!quant.uniform<i8:f32:{2:2}, {{{0.5:3, 0.25:-7}}}>>) -> tensor<2x1x4xf32>
    func.return %r, %d : tensor<2x1x4x!quant.uniform<i8:f32:{2:2}, {{{0.5:3, 0.25:-7}}}>>, tensor<2x1x4xf32>
  }
}
