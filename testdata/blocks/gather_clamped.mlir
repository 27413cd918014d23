// clause: gather: start indices are clamped
// Rows -5, 9 and 0.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[113, 31, -55, -44], [116, 126, 41, -50]]> : tensor<2x4xi8>
// args: dense<[[-5], [9], [0]]> : tensor<3x1xi32>
// expect: dense<[[113, 31, -55, -44], [116, 126, 41, -50], [113, 31, -55, -44]]> : tensor<3x4xi8>
// expect: dense<[[55.0, 14.0, -12.0, -9.25], [56.5, 61.5, 12.0, -10.75], [55.0, 14.0, -12.0, -9.25]]> : tensor<3x4xf32>
// wrong (scales per block left out): dense<[[113, 31, -55, -44], [116, 126, 41, -50], [113, 31, -55, -44]]> : tensor<3x4xi8>; dense<[[1.1e+02, 28.0, -48.0, -37.0], [113.0, 123.0, 48.0, -43.0], [1.1e+02, 28.0, -48.0, -37.0]]> : tensor<3x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[113, 31, -55, -44], [116, 126, 41, -50], [113, 31, -55, -44]]> : tensor<3x4xi8>; dense<[[27.5, 7.0, -24.0, -18.5], [28.25, 30.75, 24.0, -21.5], [27.5, 7.0, -24.0, -18.5]]> : tensor<3x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[113, 31, -55, -44], [116, 126, 41, -50], [113, 31, -55, -44]]> : tensor<3x4xi8>; dense<[[6.0e+01, 19.0, -14.5, -11.75], [61.5, 66.5, 9.5, -13.25], [6.0e+01, 19.0, -14.5, -11.75]]> : tensor<3x4xf32>
// wrong (blocks half as long): dense<[[113, 31, -55, -44], [116, 126, 41, -50], [113, 31, -55, -44]]> : tensor<3x4xi8>; dense<[[55.0, 9.5, -29.0, -9.25], [56.5, 33.25, 19.0, -10.75], [55.0, 9.5, -29.0, -9.25]]> : tensor<3x4xf32>
// wrong (blocks twice as long): dense<[[113, 31, -55, -44], [116, 126, 41, -50], [113, 31, -55, -44]]> : tensor<3x4xi8>; dense<[[55.0, 14.0, -29.0, -23.5], [56.5, 61.5, 19.0, -26.5], [55.0, 14.0, -29.0, -23.5]]> : tensor<3x4xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<3x1xi32>) -> (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<3x4xf32>) {
    %r = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>, indices_are_sorted = false} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<3x1xi32>) -> tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<3x4xf32>
    func.return %r, %d : tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<3x4xf32>
  }
}
