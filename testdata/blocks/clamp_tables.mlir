// clause: clamp: operands and result have equal parameters (S12)
// Every bound has its block's parameters.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-5, -5, -9, -9], [0, 1, 2, 3]]> : tensor<2x4xi8>
// args: dense<[[33, 122, 122, 52], [63, -100, -58, 22]]> : tensor<2x4xi8>
// args: dense<[[5, 5, 9, 9], [9, 8, 7, 6]]> : tensor<2x4xi8>
// expect: dense<[[5, 5, 9, 9], [9, 1, 2, 6]]> : tensor<2x4xi8>
// expect: dense<[[1.0, 1.0, 4.0, 4.0], [3.0, -1.0, 2.25, 3.25]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[5, 5, 9, 9], [9, 1, 2, 6]]> : tensor<2x4xi8>; dense<[[2.0, 2.0, 16.0, 16.0], [6.0, -2.0, 9.0, 13.0]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[5, 5, 9, 9], [9, 1, 2, 6]]> : tensor<2x4xi8>; dense<[[0.5, 0.5, 8.0, 8.0], [1.5, -0.5, 4.5, 6.5]]> : tensor<2x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[5, 5, 9, 9], [9, 1, 2, 6]]> : tensor<2x4xi8>; dense<[[6.0, 6.0, 1.5, 1.5], [8.0, 4.0, -0.25, 0.75]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[5, 5, 9, 9], [9, 1, 2, 6]]> : tensor<2x4xi8>; dense<[[1.0, 3.0, 3.0, 4.0], [3.0, 2.0, -0.5, 3.25]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[5, 5, 9, 9], [9, 1, 2, 6]]> : tensor<2x4xi8>; dense<[[1.0, 1.0, 3.0, 3.0], [3.0, -1.0, -0.5, 1.5]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg2: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4xf32>) {
    %r = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4xf32>
    func.return %r, %d : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4xf32>
  }
}
