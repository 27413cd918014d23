// clause: dynamic_update_slice: update and result have the operand's parameters (S10, S11)
// A row is replaced.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-127, 1, 105, -73], [-31, -121, 91, 90]]> : tensor<2x4xi8>
// args: dense<[[118, 69, 115, 72]]> : tensor<1x4xi8>
// args: dense<1> : tensor<i32>
// args: dense<0> : tensor<i32>
// expect: dense<[[-127, 1, 105, -73], [118, 69, 115, 72]]> : tensor<2x4xi8>
// expect: dense<[[-65.0, -1.0, 28.0, -16.5], [57.5, 33.0, 30.5, 19.75]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[-127, 1, 105, -73], [118, 69, 115, 72]]> : tensor<2x4xi8>; dense<[[-1.3e+02, -2.0, 112.0, -66.0], [115.0, 66.0, 122.0, 79.0]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-127, 1, 105, -73], [118, 69, 115, 72]]> : tensor<2x4xi8>; dense<[[-32.5, -0.5, 56.0, -33.0], [28.75, 16.5, 61.0, 39.5]]> : tensor<2x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-127, 1, 105, -73], [118, 69, 115, 72]]> : tensor<2x4xi8>; dense<[[-6.0e+01, 4.0, 25.5, -19.0], [62.5, 38.0, 28.0, 17.25]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[-127, 1, 105, -73], [118, 69, 115, 72]]> : tensor<2x4xi8>; dense<[[-65.0, 2.0, 51.0, -16.5], [57.5, 19.0, 56.0, 19.75]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[-127, 1, 105, -73], [118, 69, 115, 72]]> : tensor<2x4xi8>; dense<[[-65.0, -1.0, 51.0, -38.0], [57.5, 33.0, 56.0, 34.5]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4xf32>) {
    %r = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<i32>, tensor<i32>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4xf32>
    func.return %r, %d : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4xf32>
  }
}
