// clause: constant: stored integers of a blocked type
// Its numbers are those of its blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]> : tensor<2x4xf32>
// expect: dense<[[53.5, 58.0, 12.0, -15.5], [-57.0, 33.5, -22.5, -1.0e+01]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[106.0, 115.0, 45.0, -65.0], [-115.0, 66.0, -93.0, -43.0]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[27.25, 29.5, 23.0, -32.0], [-28.0, 17.25, -46.0, -21.0]]> : tensor<2x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[58.5, 63.0, 9.5, -18.0], [-52.0, 38.5, -25.0, -12.5]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[53.5, 32.0, 18.0, -15.5], [-57.0, 19.75, -51.0, -1.0e+01]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[53.5, 58.0, 18.0, -37.0], [-57.0, 33.5, -51.0, -26.0]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %c = stablehlo.constant() {value = dense<[[108, 117, 37, -73], [-113, 68, -101, -51]]> : tensor<2x4xi8>} : () -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %c : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>) -> tensor<2x4xf32>
    %r = stablehlo.add %arg0, %d : tensor<2x4xf32>
    func.return %r : tensor<2x4xf32>
  }
}
