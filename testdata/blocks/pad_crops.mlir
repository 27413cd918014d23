// clause: pad: padding has the parameters of the padding value (S10)
// Negative padding cuts a block away.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-3, 122, 9, -49]]> : tensor<1x4xi8>
// args: dense<18> : tensor<i8>
// expect: dense<[[9, -49]]> : tensor<1x2xi8>
// expect: dense<[[4.0, -10.5]]> : tensor<1x2xf32>
// wrong (scales per block left out): dense<[[9, -49]]> : tensor<1x2xi8>; dense<[[16.0, -42.0]]> : tensor<1x2xf32>
module {
  func.func @main(%arg0: tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 2.0>>) -> (tensor<1x2x!quant.uniform<i8:f32:{1:2}, {{0.25:-7}}>>, tensor<1x2xf32>) {
    %r = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 0, -2>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>} : (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 2.0>>) -> tensor<1x2x!quant.uniform<i8:f32:{1:2}, {{0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<1x2x!quant.uniform<i8:f32:{1:2}, {{0.25:-7}}>>) -> tensor<1x2xf32>
    func.return %r, %d : tensor<1x2x!quant.uniform<i8:f32:{1:2}, {{0.25:-7}}>>, tensor<1x2xf32>
  }
}
