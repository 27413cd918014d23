// clause: reshape: an element keeps its parameters where it moves (S10)
// Two rows of two blocks become one row of four.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-38, -99, 3, -117], [55, 78, -119, 86]]> : tensor<2x4xi8>
// expect: dense<[[-38, -99, 3, -117, 55, 78, -119, 86]]> : tensor<1x8xi8>
// expect: dense<[[-20.5, -51.0, 2.5, -27.5, 1.1e+02, 156.0, -93.0, 60.75]]> : tensor<1x8xf32>
// wrong (scales per block left out): dense<[[-38, -99, 3, -117, 55, 78, -119, 86]]> : tensor<1x8xi8>; dense<[[-41.0, -102.0, 1.0e+01, -1.1e+02, 55.0, 78.0, -124.0, 81.0]]> : tensor<1x8xf32>
// wrong (scale of the next block): dense<[[-38, -99, 3, -117, 55, 78, -119, 86]]> : tensor<1x8xi8>; dense<[[-10.25, -25.5, 2.0e+01, -2.2e+02, 41.25, 58.5, -62.0, 40.5]]> : tensor<1x8xf32>
// wrong (scale of the block before): dense<[[-38, -99, 3, -117, 55, 78, -119, 86]]> : tensor<1x8xi8>; dense<[[-30.75, -76.5, 5.0, -55.0, 13.75, 19.5, -248.0, 162.0]]> : tensor<1x8xf32>
// wrong (zero point of the next block): dense<[[-38, -99, 3, -117, 55, 78, -119, 86]]> : tensor<1x8xi8>; dense<[[-15.5, -46.0, 0.75, -29.25, 1.0e+02, 146.0, -91.5, 62.25]]> : tensor<1x8xf32>
// wrong (zero point of the block before): dense<[[-38, -99, 3, -117, 55, 78, -119, 86]]> : tensor<1x8xi8>; dense<[[-21.5, -52.0, 0.0, -3.0e+01, 124.0, 1.7e+02, -89.25, 64.5]]> : tensor<1x8xf32>
// wrong (blocks half as long): dense<[[-38, -99, 3, -117, 55, 78, -119, 86]]> : tensor<1x8xi8>; dense<[[-20.5, -23.0, 6.0, -91.5, 26.0, 21.25, -238.0, 60.75]]> : tensor<1x8xf32>
// wrong (blocks twice as long): dense<[[-38, -99, 3, -117, 55, 78, -119, 86]]> : tensor<1x8xi8>; dense<[[-20.5, -51.0, 0.0, -6.0e+01, 15.5, 21.25, -28.0, 23.25]]> : tensor<1x8xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:3, 0.25:-7}, {2.0, 0.75:5}}>>) -> (tensor<1x8x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7, 2.0, 0.75:5}}>>, tensor<1x8xf32>) {
    %r = "stablehlo.reshape"(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:3, 0.25:-7}, {2.0, 0.75:5}}>>) -> tensor<1x8x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7, 2.0, 0.75:5}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<1x8x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7, 2.0, 0.75:5}}>>) -> tensor<1x8xf32>
    func.return %r, %d : tensor<1x8x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7, 2.0, 0.75:5}}>>, tensor<1x8xf32>
  }
}
