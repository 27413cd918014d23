// clause: reverse: an element keeps its parameters where it moves (S10)
// Both dimensions of a table of 2 by 2 blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-88, 85, -41, 87], [26, 10, -114, -28], [-47, 97, -36, -16], [-36, -107, 113, -13]]> : tensor<4x4xi8>
// expect: dense<[[-13, 113, -107, -36], [-16, -36, 97, -47], [-28, -114, 10, 26], [87, -41, 85, -88]]> : tensor<4x4xi8>
// expect: dense<[[-13.5, 81.0, -214.0, -72.0], [-15.75, -30.75, 194.0, -94.0], [-5.25, -26.75, 3.5, 11.5], [23.5, -8.5, 41.0, -45.5]]> : tensor<4x4xf32>
// wrong (scales per block left out): dense<[[-13, 113, -107, -36], [-16, -36, 97, -47], [-28, -114, 10, 26], [87, -41, 85, -88]]> : tensor<4x4xi8>; dense<[[-18.0, 108.0, -107.0, -36.0], [-21.0, -41.0, 97.0, -47.0], [-21.0, -107.0, 7.0, 23.0], [94.0, -34.0, 82.0, -91.0]]> : tensor<4x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-13, 113, -107, -36], [-16, -36, 97, -47], [-28, -114, 10, 26], [87, -41, 85, -88]]> : tensor<4x4xi8>; dense<[[-36.0, 216.0, -80.25, -27.0], [-42.0, -82.0, 72.75, -35.25], [-10.5, -53.5, 1.75, 5.75], [47.0, -17.0, 20.5, -22.75]]> : tensor<4x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-13, 113, -107, -36], [-16, -36, 97, -47], [-28, -114, 10, 26], [87, -41, 85, -88]]> : tensor<4x4xi8>; dense<[[-9.75, 84.75, -224.0, -82.0], [-12.0, -27.0, 184.0, -104.0], [-7.75, -29.25, 8.5, 16.5], [21.0, -11.0, 46.0, -40.5]]> : tensor<4x4xf32>
// wrong (blocks half as long): dense<[[-13, 113, -107, -36], [-16, -36, 97, -47], [-28, -114, 10, 26], [87, -41, 85, -88]]> : tensor<4x4xi8>; dense<[[-13.5, 226.0, -84.0, -72.0], [-15.75, -72.0, 69.0, -94.0], [-5.25, -58.5, 4.25, 11.5], [23.5, -22.0, 23.0, -45.5]]> : tensor<4x4xf32>
// wrong (blocks twice as long): dense<[[-13, 113, -107, -36], [-16, -36, 97, -47], [-28, -114, 10, 26], [87, -41, 85, -88]]> : tensor<4x4xi8>; dense<[[-13.5, 81.0, -84.0, -30.75], [-15.75, -30.75, 69.0, -39.0], [-5.25, -26.75, 4.25, 8.25], [23.5, -8.5, 23.0, -20.25]]> : tensor<4x4xf32>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:3, 0.25:-7}, {2.0, 0.75:5}}>>) -> (tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.75:5, 2.0}, {0.25:-7, 0.5:3}}>>, tensor<4x4xf32>) {
    %r = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0, 1>} : (tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:3, 0.25:-7}, {2.0, 0.75:5}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.75:5, 2.0}, {0.25:-7, 0.5:3}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.75:5, 2.0}, {0.25:-7, 0.5:3}}>>) -> tensor<4x4xf32>
    func.return %r, %d : tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.75:5, 2.0}, {0.25:-7, 0.5:3}}>>, tensor<4x4xf32>
  }
}
