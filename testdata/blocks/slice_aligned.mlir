// clause: slice: an element keeps its parameters where it moves (S10)
// The second block alone.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[2, 55, -114, 110], [-1, -102, -48, -71]]> : tensor<2x4xi8>
// expect: dense<[[-114, 110], [-48, -71]]> : tensor<2x2xi8>
// expect: dense<[[-26.75, 29.25], [-10.25, -16.0]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-114, 110], [-48, -71]]> : tensor<2x2xi8>; dense<[[-107.0, 117.0], [-41.0, -64.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> (tensor<2x2x!quant.uniform<i8:f32:{1:2}, {{0.25:-7}}>>, tensor<2x2xf32>) {
    %r = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 2>, limit_indices = array<i64: 2, 4>, strides = array<i64: 1, 1>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x2x!quant.uniform<i8:f32:{1:2}, {{0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x2x!quant.uniform<i8:f32:{1:2}, {{0.25:-7}}>>) -> tensor<2x2xf32>
    func.return %r, %d : tensor<2x2x!quant.uniform<i8:f32:{1:2}, {{0.25:-7}}>>, tensor<2x2xf32>
  }
}
