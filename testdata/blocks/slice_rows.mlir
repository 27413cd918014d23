// clause: slice: an element keeps its parameters where it moves (S10)
// Rows 2 and 3 of blocks of 2 rows.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-64, -61, -128], [-126, -21, -18], [-44, -43, 20], [32, -27, -24]]> : tensor<4x3xi8>
// expect: dense<[[-44, -43, 20], [32, -27, -24]]> : tensor<2x3xi8>
// expect: dense<[[-11.0, -10.75, 5.0], [8.0, -6.75, -6.0]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-44, -43, 20], [32, -27, -24]]> : tensor<2x3xi8>; dense<[[-44.0, -43.0, 2.0e+01], [32.0, -27.0, -24.0]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25}}>>) -> (tensor<2x3x!quant.uniform<i8:f32:{0:2}, {{0.25}}>>, tensor<2x3xf32>) {
    %r = "stablehlo.slice"(%arg0) {start_indices = array<i64: 2, 0>, limit_indices = array<i64: 4, 3>, strides = array<i64: 1, 1>} : (tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25}}>>) -> tensor<2x3x!quant.uniform<i8:f32:{0:2}, {{0.25}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x3x!quant.uniform<i8:f32:{0:2}, {{0.25}}>>) -> tensor<2x3xf32>
    func.return %r, %d : tensor<2x3x!quant.uniform<i8:f32:{0:2}, {{0.25}}>>, tensor<2x3xf32>
  }
}
