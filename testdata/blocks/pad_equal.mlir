// clause: pad: padding has the parameters of the padding value (S10)
// The padding value has the block's own parameters.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-4, 114]]> : tensor<1x2xi8>
// args: dense<-110> : tensor<i8>
// expect: dense<[[-110, -4, 114, -110, -110]]> : tensor<1x5xi8>
// expect: dense<[[-56.5, -3.5, 55.5, -56.5, -56.5]]> : tensor<1x5xf32>
// wrong (scales per block left out): dense<[[-110, -4, 114, -110, -110]]> : tensor<1x5xi8>; dense<[[-113.0, -7.0, 111.0, -113.0, -113.0]]> : tensor<1x5xf32>
module {
  func.func @main(%arg0: tensor<1x2x!quant.uniform<i8:f32:{1:2}, {{0.5:3}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> (tensor<1x5x!quant.uniform<i8:f32:{1:5}, {{0.5:3}}>>, tensor<1x5xf32>) {
    %r = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 0, 1>, edge_padding_high = array<i64: 0, 2>, interior_padding = array<i64: 0, 0>} : (tensor<1x2x!quant.uniform<i8:f32:{1:2}, {{0.5:3}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x5x!quant.uniform<i8:f32:{1:5}, {{0.5:3}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<1x5x!quant.uniform<i8:f32:{1:5}, {{0.5:3}}>>) -> tensor<1x5xf32>
    func.return %r, %d : tensor<1x5x!quant.uniform<i8:f32:{1:5}, {{0.5:3}}>>, tensor<1x5xf32>
  }
}
