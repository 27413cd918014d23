// clause: concatenate: an element keeps its parameters where it moves (S10)
// Tensors of one scale become one of blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-48, 67], [116, -27]]> : tensor<2x2xi8>
// args: dense<[[-60, -82], [51, -128]]> : tensor<2x2xi8>
// expect: dense<[[-48, 67, -60, -82], [116, -27, 51, -128]]> : tensor<2x4xi8>
// expect: dense<[[-25.5, 32.0, -13.25, -18.75], [56.5, -15.0, 14.5, -30.25]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[-48, 67, -60, -82], [116, -27, 51, -128]]> : tensor<2x4xi8>; dense<[[-51.0, 64.0, -53.0, -75.0], [113.0, -3.0e+01, 58.0, -121.0]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-48, 67, -60, -82], [116, -27, 51, -128]]> : tensor<2x4xi8>; dense<[[-12.75, 16.0, -26.5, -37.5], [28.25, -7.5, 29.0, -60.5]]> : tensor<2x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-48, 67, -60, -82], [116, -27, 51, -128]]> : tensor<2x4xi8>; dense<[[-20.5, 37.0, -15.75, -21.25], [61.5, -1.0e+01, 12.0, -32.75]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[-48, 67, -60, -82], [116, -27, 51, -128]]> : tensor<2x4xi8>; dense<[[-25.5, 18.5, -31.5, -18.75], [56.5, -5.0, 24.0, -30.25]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[-48, 67, -60, -82], [116, -27, 51, -128]]> : tensor<2x4xi8>; dense<[[-25.5, 32.0, -31.5, -42.5], [56.5, -15.0, 24.0, -65.5]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.25:-7>>) -> (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4xf32>) {
    %r = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 1 : i64} : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32, 0.25:-7>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4xf32>
    func.return %r, %d : tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4xf32>
  }
}
