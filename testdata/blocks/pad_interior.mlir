// clause: pad: padding has the parameters of the padding value (S10)
// Holes between elements have the padding value's scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-116, -66, 99]]> : tensor<1x3xi8>
// args: dense<-3> : tensor<i8>
// expect: dense<[[-116, -3, -66, -3, 99]]> : tensor<1x5xi8>
// expect: dense<[[-58.0, -6.0, -16.5, -6.0, 148.5]]> : tensor<1x5xf32>
// wrong (scales per block left out): dense<[[-116, -3, -66, -3, 99]]> : tensor<1x5xi8>; dense<[[-116.0, -3.0, -66.0, -3.0, 99.0]]> : tensor<1x5xf32>
// wrong (scale of the next block): dense<[[-116, -3, -66, -3, 99]]> : tensor<1x5xi8>; dense<[[-232.0, -0.75, -132.0, -4.5, 49.5]]> : tensor<1x5xf32>
// wrong (scale of the block before): dense<[[-116, -3, -66, -3, 99]]> : tensor<1x5xi8>; dense<[[-174.0, -1.5, -132.0, -0.75, 198.0]]> : tensor<1x5xf32>
// wrong (blocks twice as long): dense<[[-116, -3, -66, -3, 99]]> : tensor<1x5xi8>; dense<[[-58.0, -1.5, -132.0, -6.0, 24.75]]> : tensor<1x5xf32>
module {
  func.func @main(%arg0: tensor<1x3x!quant.uniform<i8:f32:{1:1}, {{0.5, 0.25, 1.5}}>>, %arg1: tensor<!quant.uniform<i8:f32, 2.0>>) -> (tensor<1x5x!quant.uniform<i8:f32:{1:1}, {{0.5, 2.0, 0.25, 2.0, 1.5}}>>, tensor<1x5xf32>) {
    %r = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, 1>} : (tensor<1x3x!quant.uniform<i8:f32:{1:1}, {{0.5, 0.25, 1.5}}>>, tensor<!quant.uniform<i8:f32, 2.0>>) -> tensor<1x5x!quant.uniform<i8:f32:{1:1}, {{0.5, 2.0, 0.25, 2.0, 1.5}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<1x5x!quant.uniform<i8:f32:{1:1}, {{0.5, 2.0, 0.25, 2.0, 1.5}}>>) -> tensor<1x5xf32>
    func.return %r, %d : tensor<1x5x!quant.uniform<i8:f32:{1:1}, {{0.5, 2.0, 0.25, 2.0, 1.5}}>>, tensor<1x5xf32>
  }
}
