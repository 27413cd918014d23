// clause: pad: padding has the parameters of the padding value (S10)
// One element on each side: blocks of one write the table.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[18, -55]]> : tensor<1x2xi8>
// args: dense<116> : tensor<i8>
// expect: dense<[[116, 18, -55, 116]]> : tensor<1x4xi8>
// expect: dense<[[2.3e+02, 9.0, -27.5, 2.3e+02]]> : tensor<1x4xf32>
// wrong (scales per block left out): dense<[[116, 18, -55, 116]]> : tensor<1x4xi8>; dense<[[115.0, 18.0, -55.0, 115.0]]> : tensor<1x4xf32>
// wrong (scale of the next block): dense<[[116, 18, -55, 116]]> : tensor<1x4xi8>; dense<[[57.5, 9.0, -1.1e+02, 2.3e+02]]> : tensor<1x4xf32>
// wrong (scale of the block before): dense<[[116, 18, -55, 116]]> : tensor<1x4xi8>; dense<[[2.3e+02, 36.0, -27.5, 57.5]]> : tensor<1x4xf32>
// wrong (zero point of the next block): dense<[[116, 18, -55, 116]]> : tensor<1x4xi8>; dense<[[232.0, 9.0, -28.0, 2.3e+02]]> : tensor<1x4xf32>
// wrong (zero point of the block before): dense<[[116, 18, -55, 116]]> : tensor<1x4xi8>; dense<[[2.3e+02, 8.5, -27.5, 232.0]]> : tensor<1x4xf32>
// wrong (blocks twice as long): dense<[[116, 18, -55, 116]]> : tensor<1x4xi8>; dense<[[2.3e+02, 34.0, -27.5, 58.0]]> : tensor<1x4xf32>
module {
  func.func @main(%arg0: tensor<1x2x!quant.uniform<i8:f32:{1:2}, {{0.5}}>>, %arg1: tensor<!quant.uniform<i8:f32, 2.0:1>>) -> (tensor<1x4x!quant.uniform<i8:f32:{1:1}, {{2.0:1, 0.5, 0.5, 2.0:1}}>>, tensor<1x4xf32>) {
    %r = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 0, 1>, edge_padding_high = array<i64: 0, 1>, interior_padding = array<i64: 0, 0>} : (tensor<1x2x!quant.uniform<i8:f32:{1:2}, {{0.5}}>>, tensor<!quant.uniform<i8:f32, 2.0:1>>) -> tensor<1x4x!quant.uniform<i8:f32:{1:1}, {{2.0:1, 0.5, 0.5, 2.0:1}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<1x4x!quant.uniform<i8:f32:{1:1}, {{2.0:1, 0.5, 0.5, 2.0:1}}>>) -> tensor<1x4xf32>
    func.return %r, %d : tensor<1x4x!quant.uniform<i8:f32:{1:1}, {{2.0:1, 0.5, 0.5, 2.0:1}}>>, tensor<1x4xf32>
  }
}
