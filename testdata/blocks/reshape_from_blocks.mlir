// clause: reshape: an element keeps its parameters where it moves (S10)
// K/2 by 2 becomes K.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[-22, 46, 57], [-53, 46, 13]], [[-81, 31, 34], [28, -38, -88]]]> : tensor<2x2x3xi8>
// expect: dense<[[-22, 46, 57], [-53, 46, 13], [-81, 31, 34], [28, -38, -88]]> : tensor<4x3xi8>
// expect: dense<[[-11.0, 23.0, 28.5], [-26.5, 23.0, 6.5], [-20.25, 7.75, 8.5], [7.0, -9.5, -22.0]]> : tensor<4x3xf32>
// wrong (scales per block left out): dense<[[-22, 46, 57], [-53, 46, 13], [-81, 31, 34], [28, -38, -88]]> : tensor<4x3xi8>; dense<[[-22.0, 46.0, 57.0], [-53.0, 46.0, 13.0], [-81.0, 31.0, 34.0], [28.0, -38.0, -88.0]]> : tensor<4x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-22, 46, 57], [-53, 46, 13], [-81, 31, 34], [28, -38, -88]]> : tensor<4x3xi8>; dense<[[-5.5, 11.5, 14.25], [-13.25, 11.5, 3.25], [-40.5, 15.5, 17.0], [14.0, -19.0, -44.0]]> : tensor<4x3xf32>
// wrong (blocks half as long): dense<[[-22, 46, 57], [-53, 46, 13], [-81, 31, 34], [28, -38, -88]]> : tensor<4x3xi8>; dense<[[-11.0, 23.0, 28.5], [-13.25, 11.5, 3.25], [-40.5, 15.5, 17.0], [7.0, -9.5, -22.0]]> : tensor<4x3xf32>
// wrong (blocks twice as long): dense<[[-22, 46, 57], [-53, 46, 13], [-81, 31, 34], [28, -38, -88]]> : tensor<4x3xi8>; dense<[[-11.0, 23.0, 28.5], [-26.5, 23.0, 6.5], [-40.5, 15.5, 17.0], [14.0, -19.0, -44.0]]> : tensor<4x3xf32>
module {
  func.func @main(%arg0: tensor<2x2x3x!quant.uniform<i8:f32:{0:1}, {{{0.5}}, {{0.25}}}>>) -> (tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25}}>>, tensor<4x3xf32>) {
    %r = "stablehlo.reshape"(%arg0) : (tensor<2x2x3x!quant.uniform<i8:f32:{0:1}, {{{0.5}}, {{0.25}}}>>) -> tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25}}>>) -> tensor<4x3xf32>
    func.return %r, %d : tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25}}>>, tensor<4x3xf32>
  }
}
