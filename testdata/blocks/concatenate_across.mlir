// clause: concatenate: an element keeps its parameters where it moves (S10)
// Rows with equal tables.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[26, -80, 23, 45]]> : tensor<1x4xi8>
// args: dense<[[22, 52, -62, 86], [81, 61, 111, -56]]> : tensor<2x4xi8>
// expect: dense<[[26, -80, 23, 45], [22, 52, -62, 86], [81, 61, 111, -56]]> : tensor<3x4xi8>
// expect: dense<[[11.5, -41.5, 7.5, 13.0], [9.5, 24.5, -13.75, 23.25], [39.0, 29.0, 29.5, -12.25]]> : tensor<3x4xf32>
// wrong (scales per block left out): dense<[[26, -80, 23, 45], [22, 52, -62, 86], [81, 61, 111, -56]]> : tensor<3x4xi8>; dense<[[23.0, -83.0, 3.0e+01, 52.0], [19.0, 49.0, -55.0, 93.0], [78.0, 58.0, 118.0, -49.0]]> : tensor<3x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[26, -80, 23, 45], [22, 52, -62, 86], [81, 61, 111, -56]]> : tensor<3x4xi8>; dense<[[5.75, -20.75, 15.0, 26.0], [4.75, 12.25, -27.5, 46.5], [19.5, 14.5, 59.0, -24.5]]> : tensor<3x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[26, -80, 23, 45], [22, 52, -62, 86], [81, 61, 111, -56]]> : tensor<3x4xi8>; dense<[[16.5, -36.5, 5.0, 10.5], [14.5, 29.5, -16.25, 20.75], [44.0, 34.0, 27.0, -14.75]]> : tensor<3x4xf32>
// wrong (blocks half as long): dense<[[26, -80, 23, 45], [22, 52, -62, 86], [81, 61, 111, -56]]> : tensor<3x4xi8>; dense<[[11.5, -18.25, 1.0e+01, 13.0], [9.5, 14.75, -32.5, 23.25], [39.0, 17.0, 54.0, -12.25]]> : tensor<3x4xf32>
// wrong (blocks twice as long): dense<[[26, -80, 23, 45], [22, 52, -62, 86], [81, 61, 111, -56]]> : tensor<3x4xi8>; dense<[[11.5, -41.5, 1.0e+01, 21.0], [9.5, 24.5, -32.5, 41.5], [39.0, 29.0, 54.0, -29.5]]> : tensor<3x4xf32>
module {
  func.func @main(%arg0: tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<3x4xf32>) {
    %r = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<3x4xf32>
    func.return %r, %d : tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<3x4xf32>
  }
}
