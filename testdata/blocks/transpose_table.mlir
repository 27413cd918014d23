// clause: transpose: an element keeps its parameters where it moves (S10)
// Blocks along columns become blocks along rows.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-100, -112, 124, 43], [-22, -62, -61, 83]]> : tensor<2x4xi8>
// expect: dense<[[-100, -22], [-112, -62], [124, -61], [43, 83]]> : tensor<4x2xi8>
// expect: dense<[[-51.5, -12.5], [-57.5, -32.5], [32.75, -13.5], [12.5, 22.5]]> : tensor<4x2xf32>
// wrong (scales per block left out): dense<[[-100, -22], [-112, -62], [124, -61], [43, 83]]> : tensor<4x2xi8>; dense<[[-103.0, -25.0], [-115.0, -65.0], [131.0, -54.0], [5.0e+01, 9.0e+01]]> : tensor<4x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-100, -22], [-112, -62], [124, -61], [43, 83]]> : tensor<4x2xi8>; dense<[[-25.75, -6.25], [-28.75, -16.25], [65.5, -27.0], [25.0, 45.0]]> : tensor<4x2xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-100, -22], [-112, -62], [124, -61], [43, 83]]> : tensor<4x2xi8>; dense<[[-46.5, -7.5], [-52.5, -27.5], [30.25, -16.0], [1.0e+01, 2.0e+01]]> : tensor<4x2xf32>
// wrong (blocks half as long): dense<[[-100, -22], [-112, -62], [124, -61], [43, 83]]> : tensor<4x2xi8>; dense<[[-51.5, -12.5], [-26.25, -13.75], [60.5, -32.0], [12.5, 22.5]]> : tensor<4x2xf32>
// wrong (blocks twice as long): dense<[[-100, -22], [-112, -62], [124, -61], [43, 83]]> : tensor<4x2xi8>; dense<[[-51.5, -12.5], [-57.5, -32.5], [60.5, -32.0], [2.0e+01, 4.0e+01]]> : tensor<4x2xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> (tensor<4x2x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>, tensor<4x2xf32>) {
    %r = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<4x2x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<4x2x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>) -> tensor<4x2xf32>
    func.return %r, %d : tensor<4x2x!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25:-7}}>>, tensor<4x2xf32>
  }
}
