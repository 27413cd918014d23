// clause: slice: an element keeps its parameters where it moves (S10)
// Every second element: one of each block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[80, 15, -35, 71], [-47, -92, -57, 99]]> : tensor<2x4xi8>
// expect: dense<[[80, -35], [-47, -57]]> : tensor<2x2xi8>
// expect: dense<[[38.5, -7.0], [-25.0, -12.5]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[80, -35], [-47, -57]]> : tensor<2x2xi8>; dense<[[77.0, -28.0], [-5.0e+01, -5.0e+01]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[80, -35], [-47, -57]]> : tensor<2x2xi8>; dense<[[19.25, -14.0], [-12.5, -25.0]]> : tensor<2x2xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[80, -35], [-47, -57]]> : tensor<2x2xi8>; dense<[[43.5, -9.5], [-2.0e+01, -15.0]]> : tensor<2x2xf32>
// wrong (blocks twice as long): dense<[[80, -35], [-47, -57]]> : tensor<2x2xi8>; dense<[[38.5, -19.0], [-25.0, -3.0e+01]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> (tensor<2x2x!quant.uniform<i8:f32:{1:1}, {{0.5:3, 0.25:-7}}>>, tensor<2x2xf32>) {
    %r = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 4>, strides = array<i64: 1, 2>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x2x!quant.uniform<i8:f32:{1:1}, {{0.5:3, 0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x2x!quant.uniform<i8:f32:{1:1}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x2xf32>
    func.return %r, %d : tensor<2x2x!quant.uniform<i8:f32:{1:1}, {{0.5:3, 0.25:-7}}>>, tensor<2x2xf32>
  }
}
