// clause: gather: whole rows keep their tables (S10, S11)
// Rows 1, 0 and 1, as an embedding of quantized weights.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-28, 23, 110, -95], [27, -127, 93, 18]]> : tensor<2x4xi8>
// args: dense<[[1], [0], [1]]> : tensor<3x1xi32>
// expect: dense<[[27, -127, 93, 18], [-28, 23, 110, -95], [27, -127, 93, 18]]> : tensor<3x4xi8>
// expect: dense<[[12.0, -65.0, 25.0, 6.25], [-15.5, 1.0e+01, 29.25, -22.0], [12.0, -65.0, 25.0, 6.25]]> : tensor<3x4xf32>
// wrong (scales per block left out): dense<[[27, -127, 93, 18], [-28, 23, 110, -95], [27, -127, 93, 18]]> : tensor<3x4xi8>; dense<[[24.0, -1.3e+02, 1.0e+02, 25.0], [-31.0, 2.0e+01, 117.0, -88.0], [24.0, -1.3e+02, 1.0e+02, 25.0]]> : tensor<3x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[27, -127, 93, 18], [-28, 23, 110, -95], [27, -127, 93, 18]]> : tensor<3x4xi8>; dense<[[6.0, -32.5, 5.0e+01, 12.5], [-7.75, 5.0, 58.5, -44.0], [6.0, -32.5, 5.0e+01, 12.5]]> : tensor<3x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[27, -127, 93, 18], [-28, 23, 110, -95], [27, -127, 93, 18]]> : tensor<3x4xi8>; dense<[[17.0, -6.0e+01, 22.5, 3.75], [-10.5, 15.0, 26.75, -24.5], [17.0, -6.0e+01, 22.5, 3.75]]> : tensor<3x4xf32>
// wrong (blocks half as long): dense<[[27, -127, 93, 18], [-28, 23, 110, -95], [27, -127, 93, 18]]> : tensor<3x4xi8>; dense<[[12.0, -3.0e+01, 45.0, 6.25], [-15.5, 7.5, 53.5, -22.0], [12.0, -3.0e+01, 45.0, 6.25]]> : tensor<3x4xf32>
// wrong (blocks twice as long): dense<[[27, -127, 93, 18], [-28, 23, 110, -95], [27, -127, 93, 18]]> : tensor<3x4xi8>; dense<[[12.0, -65.0, 45.0, 7.5], [-15.5, 1.0e+01, 53.5, -49.0], [12.0, -65.0, 45.0, 7.5]]> : tensor<3x4xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<3x1xi32>) -> (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<3x4xf32>) {
    %r = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>, indices_are_sorted = false} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<3x1xi32>) -> tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<3x4xf32>
    func.return %r, %d : tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<3x4xf32>
  }
}
