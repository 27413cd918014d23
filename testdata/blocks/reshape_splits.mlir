// clause: reshape: an element keeps its parameters where it moves (S10)
// A vector of blocks of 4 becomes rows of one scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[59, 64, -124, 103, -105, -36, -28, -68]> : tensor<8xi8>
// expect: dense<[[59, 64, -124, 103], [-105, -36, -28, -68]]> : tensor<2x4xi8>
// expect: dense<[[28.0, 30.5, -63.5, 5.0e+01], [-24.5, -7.25, -5.25, -15.25]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[59, 64, -124, 103], [-105, -36, -28, -68]]> : tensor<2x4xi8>; dense<[[56.0, 61.0, -127.0, 1.0e+02], [-98.0, -29.0, -21.0, -61.0]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[59, 64, -124, 103], [-105, -36, -28, -68]]> : tensor<2x4xi8>; dense<[[14.0, 15.25, -31.75, 25.0], [-49.0, -14.5, -10.5, -30.5]]> : tensor<2x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[59, 64, -124, 103], [-105, -36, -28, -68]]> : tensor<2x4xi8>; dense<[[33.0, 35.5, -58.5, 55.0], [-27.0, -9.75, -7.75, -17.75]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[59, 64, -124, 103], [-105, -36, -28, -68]]> : tensor<2x4xi8>; dense<[[28.0, 30.5, -63.5, 5.0e+01], [-54.0, -19.5, -15.5, -35.5]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<8x!quant.uniform<i8:f32:{0:4}, {0.5:3, 0.25:-7}>>) -> (tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{0.5:3}, {0.25:-7}}>>, tensor<2x4xf32>) {
    %r = "stablehlo.reshape"(%arg0) : (tensor<8x!quant.uniform<i8:f32:{0:4}, {0.5:3, 0.25:-7}>>) -> tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{0.5:3}, {0.25:-7}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{0.5:3}, {0.25:-7}}>>) -> tensor<2x4xf32>
    func.return %r, %d : tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{0.5:3}, {0.25:-7}}>>, tensor<2x4xf32>
  }
}
