// clause: reverse: an element keeps its parameters where it moves (S10)
// Blocks in reverse order.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[54, 50, 12, 48], [81, 51, -40, 102]]> : tensor<2x4xi8>
// expect: dense<[[48, 12, 50, 54], [102, -40, 51, 81]]> : tensor<2x4xi8>
// expect: dense<[[13.75, 4.75, 23.5, 25.5], [27.25, -8.25, 24.0, 39.0]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[48, 12, 50, 54], [102, -40, 51, 81]]> : tensor<2x4xi8>; dense<[[55.0, 19.0, 47.0, 51.0], [109.0, -33.0, 48.0, 78.0]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[48, 12, 50, 54], [102, -40, 51, 81]]> : tensor<2x4xi8>; dense<[[27.5, 9.5, 11.75, 12.75], [54.5, -16.5, 12.0, 19.5]]> : tensor<2x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[48, 12, 50, 54], [102, -40, 51, 81]]> : tensor<2x4xi8>; dense<[[11.25, 2.25, 28.5, 30.5], [24.75, -10.75, 29.0, 44.0]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[48, 12, 50, 54], [102, -40, 51, 81]]> : tensor<2x4xi8>; dense<[[13.75, 4.5, 14.25, 25.5], [27.25, -21.5, 14.5, 39.0]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[48, 12, 50, 54], [102, -40, 51, 81]]> : tensor<2x4xi8>; dense<[[13.75, 4.75, 14.25, 15.25], [27.25, -8.25, 14.5, 22.0]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.25:-7, 0.5:3}}>>, tensor<2x4xf32>) {
    %r = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 1>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.25:-7, 0.5:3}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.25:-7, 0.5:3}}>>) -> tensor<2x4xf32>
    func.return %r, %d : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.25:-7, 0.5:3}}>>, tensor<2x4xf32>
  }
}
