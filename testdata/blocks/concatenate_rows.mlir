// clause: concatenate: an element keeps its parameters where it moves (S10)
// Rows with different tables become blocks of one row.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[67, -73, 38, -56]]> : tensor<1x4xi8>
// args: dense<[[38, 64, 91, 93]]> : tensor<1x4xi8>
// expect: dense<[[67, -73, 38, -56], [38, 64, 91, 93]]> : tensor<2x4xi8>
// expect: dense<[[33.5, -36.5, 9.5, -14.0], [76.0, 128.0, 136.5, 139.5]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[67, -73, 38, -56], [38, 64, 91, 93]]> : tensor<2x4xi8>; dense<[[67.0, -73.0, 38.0, -56.0], [38.0, 64.0, 91.0, 93.0]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[67, -73, 38, -56], [38, 64, 91, 93]]> : tensor<2x4xi8>; dense<[[16.75, -18.25, 19.0, -28.0], [57.0, 96.0, 182.0, 186.0]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[67, -73, 38, -56], [38, 64, 91, 93]]> : tensor<2x4xi8>; dense<[[33.5, -18.25, 19.0, -14.0], [76.0, 96.0, 182.0, 139.5]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[67, -73, 38, -56], [38, 64, 91, 93]]> : tensor<2x4xi8>; dense<[[33.5, -36.5, 19.0, -28.0], [76.0, 128.0, 182.0, 186.0]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, %arg1: tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{2.0, 1.5}}>>) -> (tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5, 0.25}, {2.0, 1.5}}>>, tensor<2x4xf32>) {
    %r = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{2.0, 1.5}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5, 0.25}, {2.0, 1.5}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5, 0.25}, {2.0, 1.5}}>>) -> tensor<2x4xf32>
    func.return %r, %d : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5, 0.25}, {2.0, 1.5}}>>, tensor<2x4xf32>
  }
}
