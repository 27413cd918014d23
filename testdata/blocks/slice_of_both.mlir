// clause: slice: an element keeps its parameters where it moves (S10)
// A corner of a table of 2 by 2 blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-54, 7, -95, 41], [26, -127, 45, -95], [30, 53, 28, 118], [33, -34, 118, 113]]> : tensor<4x4xi8>
// expect: dense<[[-127, 45, -95], [53, 28, 118]]> : tensor<2x3xi8>
// expect: dense<[[-65.0, 13.0, -22.0], [106.0, 17.25, 84.75]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-127, 45, -95], [53, 28, 118]]> : tensor<2x3xi8>; dense<[[-1.3e+02, 52.0, -88.0], [53.0, 23.0, 113.0]]> : tensor<2x3xf32>
// wrong (scale of the next block): dense<[[-127, 45, -95], [53, 28, 118]]> : tensor<2x3xi8>; dense<[[-32.5, 13.0, -44.0], [39.75, 17.25, 226.0]]> : tensor<2x3xf32>
// wrong (scale of the block before): dense<[[-127, 45, -95], [53, 28, 118]]> : tensor<2x3xi8>; dense<[[-32.5, 26.0, -22.0], [39.75, 46.0, 84.75]]> : tensor<2x3xf32>
// wrong (zero point of the next block): dense<[[-127, 45, -95], [53, 28, 118]]> : tensor<2x3xi8>; dense<[[-6.0e+01, 13.0, -24.5], [96.0, 17.25, 88.5]]> : tensor<2x3xf32>
// wrong (zero point of the block before): dense<[[-127, 45, -95], [53, 28, 118]]> : tensor<2x3xi8>; dense<[[-6.0e+01, 10.5, -22.0], [96.0, 21.0, 84.75]]> : tensor<2x3xf32>
// wrong (blocks twice as long): dense<[[-127, 45, -95], [53, 28, 118]]> : tensor<2x3xi8>; dense<[[-65.0, 21.0, -22.0], [106.0, 56.0, 84.75]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:3, 0.25:-7}, {2.0, 0.75:5}}>>) -> (tensor<2x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5:3, 0.25:-7, 0.25:-7}, {2.0, 0.75:5, 0.75:5}}>>, tensor<2x3xf32>) {
    %r = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 1>, limit_indices = array<i64: 3, 4>, strides = array<i64: 1, 1>} : (tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:3, 0.25:-7}, {2.0, 0.75:5}}>>) -> tensor<2x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5:3, 0.25:-7, 0.25:-7}, {2.0, 0.75:5, 0.75:5}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5:3, 0.25:-7, 0.25:-7}, {2.0, 0.75:5, 0.75:5}}>>) -> tensor<2x3xf32>
    func.return %r, %d : tensor<2x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5:3, 0.25:-7, 0.25:-7}, {2.0, 0.75:5, 0.75:5}}>>, tensor<2x3xf32>
  }
}
