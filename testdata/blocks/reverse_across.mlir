// clause: reverse: an element keeps its parameters where it moves (S10)
// Rows are reversed, and blocks along columns stay.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[58, 43, -56, -43], [-27, 57, 116, 16]]> : tensor<2x4xi8>
// expect: dense<[[-27, 57, 116, 16], [58, 43, -56, -43]]> : tensor<2x4xi8>
// expect: dense<[[-15.0, 27.0, 30.75, 5.75], [27.5, 2.0e+01, -12.25, -9.0]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[-27, 57, 116, 16], [58, 43, -56, -43]]> : tensor<2x4xi8>; dense<[[-3.0e+01, 54.0, 123.0, 23.0], [55.0, 4.0e+01, -49.0, -36.0]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-27, 57, 116, 16], [58, 43, -56, -43]]> : tensor<2x4xi8>; dense<[[-7.5, 13.5, 61.5, 11.5], [13.75, 1.0e+01, -24.5, -18.0]]> : tensor<2x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-27, 57, 116, 16], [58, 43, -56, -43]]> : tensor<2x4xi8>; dense<[[-1.0e+01, 32.0, 28.25, 3.25], [32.5, 25.0, -14.75, -11.5]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[-27, 57, 116, 16], [58, 43, -56, -43]]> : tensor<2x4xi8>; dense<[[-15.0, 16.0, 56.5, 5.75], [27.5, 12.5, -29.5, -9.0]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[-27, 57, 116, 16], [58, 43, -56, -43]]> : tensor<2x4xi8>; dense<[[-15.0, 27.0, 56.5, 6.5], [27.5, 2.0e+01, -29.5, -23.0]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4xf32>) {
    %r = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4xf32>
    func.return %r, %d : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4xf32>
  }
}
