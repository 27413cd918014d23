// clause: pad: padding has the parameters of the padding value (S10)
// Rows of padding before blocks of 2 rows.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[22, -108, -59], [72, -122, 117]]> : tensor<2x3xi8>
// args: dense<12> : tensor<i8>
// expect: dense<[[12, 12, 12], [12, 12, 12], [22, -108, -59], [72, -122, 117]]> : tensor<4x3xi8>
// expect: dense<[[4.75, 4.75, 4.75], [4.75, 4.75, 4.75], [9.5, -55.5, -31.0], [34.5, -62.5, 57.0]]> : tensor<4x3xf32>
// wrong (scales per block left out): dense<[[12, 12, 12], [12, 12, 12], [22, -108, -59], [72, -122, 117]]> : tensor<4x3xi8>; dense<[[19.0, 19.0, 19.0], [19.0, 19.0, 19.0], [19.0, -111.0, -62.0], [69.0, -125.0, 114.0]]> : tensor<4x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[12, 12, 12], [12, 12, 12], [22, -108, -59], [72, -122, 117]]> : tensor<4x3xi8>; dense<[[9.5, 9.5, 9.5], [9.5, 9.5, 9.5], [4.75, -27.75, -15.5], [17.25, -31.25, 28.5]]> : tensor<4x3xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[12, 12, 12], [12, 12, 12], [22, -108, -59], [72, -122, 117]]> : tensor<4x3xi8>; dense<[[2.25, 2.25, 2.25], [2.25, 2.25, 2.25], [14.5, -50.5, -26.0], [39.5, -57.5, 62.0]]> : tensor<4x3xf32>
// wrong (blocks half as long): dense<[[12, 12, 12], [12, 12, 12], [22, -108, -59], [72, -122, 117]]> : tensor<4x3xi8>; dense<[[4.75, 4.75, 4.75], [4.5, 4.5, 4.5], [7.25, -25.25, -13.0], [34.5, -62.5, 57.0]]> : tensor<4x3xf32>
// wrong (blocks twice as long): dense<[[12, 12, 12], [12, 12, 12], [22, -108, -59], [72, -122, 117]]> : tensor<4x3xi8>; dense<[[4.75, 4.75, 4.75], [4.75, 4.75, 4.75], [7.25, -25.25, -13.0], [19.75, -28.75, 31.0]]> : tensor<4x3xf32>
module {
  func.func @main(%arg0: tensor<2x3x!quant.uniform<i8:f32:{0:2}, {{0.5:3}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.25:-7>>) -> (tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.25:-7}, {0.5:3}}>>, tensor<4x3xf32>) {
    %r = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 2, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>} : (tensor<2x3x!quant.uniform<i8:f32:{0:2}, {{0.5:3}}>>, tensor<!quant.uniform<i8:f32, 0.25:-7>>) -> tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.25:-7}, {0.5:3}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.25:-7}, {0.5:3}}>>) -> tensor<4x3xf32>
    func.return %r, %d : tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.25:-7}, {0.5:3}}>>, tensor<4x3xf32>
  }
}
