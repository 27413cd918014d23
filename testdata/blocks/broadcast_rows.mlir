// clause: broadcast_in_dim: an element keeps its parameters where it moves (S10)
// A blocked vector becomes every row.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-44, -101, -60, -72]> : tensor<4xi8>
// expect: dense<[[-44, -101, -60, -72], [-44, -101, -60, -72], [-44, -101, -60, -72]]> : tensor<3x4xi8>
// expect: dense<[[-23.5, -52.0, -13.25, -16.25], [-23.5, -52.0, -13.25, -16.25], [-23.5, -52.0, -13.25, -16.25]]> : tensor<3x4xf32>
// wrong (scales per block left out): dense<[[-44, -101, -60, -72], [-44, -101, -60, -72], [-44, -101, -60, -72]]> : tensor<3x4xi8>; dense<[[-47.0, -104.0, -53.0, -65.0], [-47.0, -104.0, -53.0, -65.0], [-47.0, -104.0, -53.0, -65.0]]> : tensor<3x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-44, -101, -60, -72], [-44, -101, -60, -72], [-44, -101, -60, -72]]> : tensor<3x4xi8>; dense<[[-11.75, -26.0, -26.5, -32.5], [-11.75, -26.0, -26.5, -32.5], [-11.75, -26.0, -26.5, -32.5]]> : tensor<3x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-44, -101, -60, -72], [-44, -101, -60, -72], [-44, -101, -60, -72]]> : tensor<3x4xi8>; dense<[[-18.5, -47.0, -15.75, -18.75], [-18.5, -47.0, -15.75, -18.75], [-18.5, -47.0, -15.75, -18.75]]> : tensor<3x4xf32>
// wrong (blocks half as long): dense<[[-44, -101, -60, -72], [-44, -101, -60, -72], [-44, -101, -60, -72]]> : tensor<3x4xi8>; dense<[[-23.5, -23.5, -31.5, -16.25], [-23.5, -23.5, -31.5, -16.25], [-23.5, -23.5, -31.5, -16.25]]> : tensor<3x4xf32>
// wrong (blocks twice as long): dense<[[-44, -101, -60, -72], [-44, -101, -60, -72], [-44, -101, -60, -72]]> : tensor<3x4xi8>; dense<[[-23.5, -52.0, -31.5, -37.5], [-23.5, -52.0, -31.5, -37.5], [-23.5, -52.0, -31.5, -37.5]]> : tensor<3x4xf32>
module {
  func.func @main(%arg0: tensor<4x!quant.uniform<i8:f32:{0:2}, {0.5:3, 0.25:-7}>>) -> (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<3x4xf32>) {
    %r = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1>} : (tensor<4x!quant.uniform<i8:f32:{0:2}, {0.5:3, 0.25:-7}>>) -> tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<3x4xf32>
    func.return %r, %d : tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<3x4xf32>
  }
}
