// clause: dynamic_slice: parameters are constant along a dimension of which a part is taken (S11)
// A row of blocks along columns, at a row that is an operand.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[22, 124, 115, -68], [-120, -64, 25, 16]]> : tensor<2x4xi8>
// args: dense<1> : tensor<i32>
// args: dense<0> : tensor<i32>
// expect: dense<[[-120, -64, 25, 16]]> : tensor<1x4xi8>
// expect: dense<[[-61.5, -33.5, 8.0, 5.75]]> : tensor<1x4xf32>
// wrong (scales per block left out): dense<[[-120, -64, 25, 16]]> : tensor<1x4xi8>; dense<[[-123.0, -67.0, 32.0, 23.0]]> : tensor<1x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-120, -64, 25, 16]]> : tensor<1x4xi8>; dense<[[-30.75, -16.75, 16.0, 11.5]]> : tensor<1x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-120, -64, 25, 16]]> : tensor<1x4xi8>; dense<[[-56.5, -28.5, 5.5, 3.25]]> : tensor<1x4xf32>
// wrong (blocks half as long): dense<[[-120, -64, 25, 16]]> : tensor<1x4xi8>; dense<[[-61.5, -14.25, 11.0, 5.75]]> : tensor<1x4xf32>
// wrong (blocks twice as long): dense<[[-120, -64, 25, 16]]> : tensor<1x4xi8>; dense<[[-61.5, -33.5, 11.0, 6.5]]> : tensor<1x4xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<1x4xf32>) {
    %r = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 1, 4>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<i32>, tensor<i32>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<1x4xf32>
    func.return %r, %d : tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<1x4xf32>
  }
}
