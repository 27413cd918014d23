// clause: reshape: an element keeps its parameters where it moves (S10)
// K becomes K/2 by 2, as exporters of groups do.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-3, 108, 48], [53, 0, 108], [-73, 60, 23], [-110, 93, -82]]> : tensor<4x3xi8>
// expect: dense<[[[-3, 108, 48], [53, 0, 108]], [[-73, 60, 23], [-110, 93, -82]]]> : tensor<2x2x3xi8>
// expect: dense<[[[-1.5, 54.0, 24.0], [26.5, 0.0, 54.0]], [[-18.25, 15.0, 5.75], [-27.5, 23.25, -20.5]]]> : tensor<2x2x3xf32>
// wrong (scales per block left out): dense<[[[-3, 108, 48], [53, 0, 108]], [[-73, 60, 23], [-110, 93, -82]]]> : tensor<2x2x3xi8>; dense<[[[-3.0, 108.0, 48.0], [53.0, 0.0, 108.0]], [[-73.0, 6.0e+01, 23.0], [-1.1e+02, 93.0, -82.0]]]> : tensor<2x2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[[-3, 108, 48], [53, 0, 108]], [[-73, 60, 23], [-110, 93, -82]]]> : tensor<2x2x3xi8>; dense<[[[-0.75, 27.0, 12.0], [13.25, 0.0, 27.0]], [[-36.5, 3.0e+01, 11.5], [-55.0, 46.5, -41.0]]]> : tensor<2x2x3xf32>
// wrong (blocks twice as long): dense<[[[-3, 108, 48], [53, 0, 108]], [[-73, 60, 23], [-110, 93, -82]]]> : tensor<2x2x3xi8>; dense<[[[-1.5, 54.0, 24.0], [26.5, 0.0, 54.0]], [[-36.5, 3.0e+01, 11.5], [-55.0, 46.5, -41.0]]]> : tensor<2x2x3xf32>
module {
  func.func @main(%arg0: tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25}}>>) -> (tensor<2x2x3x!quant.uniform<i8:f32:{0:1}, {{{0.5}}, {{0.25}}}>>, tensor<2x2x3xf32>) {
    %r = "stablehlo.reshape"(%arg0) : (tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25}}>>) -> tensor<2x2x3x!quant.uniform<i8:f32:{0:1}, {{{0.5}}, {{0.25}}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x2x3x!quant.uniform<i8:f32:{0:1}, {{{0.5}}, {{0.25}}}>>) -> tensor<2x2x3xf32>
    func.return %r, %d : tensor<2x2x3x!quant.uniform<i8:f32:{0:1}, {{{0.5}}, {{0.25}}}>>, tensor<2x2x3xf32>
  }
}
