// clause: slice: an element keeps its parameters where it moves (S10)
// One element of one block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-35, -28, 68, 24], [-117, 56, 84, -44]]> : tensor<2x4xi8>
// expect: dense<[[24], [-44]]> : tensor<2x1xi8>
// expect: dense<[[7.75], [-9.25]]> : tensor<2x1xf32>
// wrong (scales per block left out): dense<[[24], [-44]]> : tensor<2x1xi8>; dense<[[31.0], [-37.0]]> : tensor<2x1xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> (tensor<2x1x!quant.uniform<i8:f32:{1:1}, {{0.25:-7}}>>, tensor<2x1xf32>) {
    %r = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 3>, limit_indices = array<i64: 2, 4>, strides = array<i64: 1, 1>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x1x!quant.uniform<i8:f32:{1:1}, {{0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x1x!quant.uniform<i8:f32:{1:1}, {{0.25:-7}}>>) -> tensor<2x1xf32>
    func.return %r, %d : tensor<2x1x!quant.uniform<i8:f32:{1:1}, {{0.25:-7}}>>, tensor<2x1xf32>
  }
}
