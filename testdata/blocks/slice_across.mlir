// clause: slice: an element keeps its parameters where it moves (S10)
// [1:3] of blocks of 2: blocks of one write its table.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[62, 112, -2, 66], [-76, -1, -122, -18]]> : tensor<2x4xi8>
// expect: dense<[[112, -2], [-1, -122]]> : tensor<2x2xi8>
// expect: dense<[[54.5, 1.25], [-2.0, -28.75]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[112, -2], [-1, -122]]> : tensor<2x2xi8>; dense<[[109.0, 5.0], [-4.0, -115.0]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[112, -2], [-1, -122]]> : tensor<2x2xi8>; dense<[[27.25, 2.5], [-1.0, -57.5]]> : tensor<2x2xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[112, -2], [-1, -122]]> : tensor<2x2xi8>; dense<[[59.5, -1.25], [3.0, -31.25]]> : tensor<2x2xf32>
// wrong (blocks twice as long): dense<[[112, -2], [-1, -122]]> : tensor<2x2xi8>; dense<[[54.5, -2.5], [-2.0, -62.5]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> (tensor<2x2x!quant.uniform<i8:f32:{1:1}, {{0.5:3, 0.25:-7}}>>, tensor<2x2xf32>) {
    %r = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 2, 3>, strides = array<i64: 1, 1>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x2x!quant.uniform<i8:f32:{1:1}, {{0.5:3, 0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x2x!quant.uniform<i8:f32:{1:1}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x2xf32>
    func.return %r, %d : tensor<2x2x!quant.uniform<i8:f32:{1:1}, {{0.5:3, 0.25:-7}}>>, tensor<2x2xf32>
  }
}
