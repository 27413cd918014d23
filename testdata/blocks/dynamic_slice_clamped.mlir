// clause: dynamic_slice: start indices are clamped
// Row 7 of two is row 1; its table is that of every row.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[44, 23, -115, 109], [51, 56, -61, -110]]> : tensor<2x4xi8>
// args: dense<7> : tensor<i32>
// args: dense<3> : tensor<i32>
// expect: dense<[[51, 56, -61, -110]]> : tensor<1x4xi8>
// expect: dense<[[24.0, 26.5, -13.5, -25.75]]> : tensor<1x4xf32>
// wrong (scales per block left out): dense<[[51, 56, -61, -110]]> : tensor<1x4xi8>; dense<[[48.0, 53.0, -54.0, -103.0]]> : tensor<1x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[51, 56, -61, -110]]> : tensor<1x4xi8>; dense<[[12.0, 13.25, -27.0, -51.5]]> : tensor<1x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[51, 56, -61, -110]]> : tensor<1x4xi8>; dense<[[29.0, 31.5, -16.0, -28.25]]> : tensor<1x4xf32>
// wrong (blocks half as long): dense<[[51, 56, -61, -110]]> : tensor<1x4xi8>; dense<[[24.0, 15.75, -32.0, -25.75]]> : tensor<1x4xf32>
// wrong (blocks twice as long): dense<[[51, 56, -61, -110]]> : tensor<1x4xi8>; dense<[[24.0, 26.5, -32.0, -56.5]]> : tensor<1x4xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<1x4xf32>) {
    %r = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 1, 4>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<i32>, tensor<i32>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<1x4xf32>
    func.return %r, %d : tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<1x4xf32>
  }
}
