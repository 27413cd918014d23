// clause: constant: stored integers of a blocked type
// Its numbers are those of its blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[1.0, 1.0, 1.0, 1.0]> : tensor<4xf32>
// expect: dense<[58.5, -13.0, 11.75, 42.0]> : tensor<4xf32>
// wrong (scales per block left out): dense<[116.0, -27.0, 44.0, 165.0]> : tensor<4xf32>
// wrong (scale of the next block; scale of the block before): dense<[29.75, -6.0, 22.5, 83.0]> : tensor<4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[112.5, 41.0, -15.25, 15.0]> : tensor<4xf32>
// wrong (blocks half as long): dense<[58.5, 21.0, -31.5, 42.0]> : tensor<4xf32>
// wrong (blocks twice as long): dense<[58.5, -13.0, -31.5, 29.0]> : tensor<4xf32>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %c = stablehlo.constant() {value = dense<[123, -20, -57, 64]> : tensor<4xi8>} : () -> tensor<4x!quant.uniform<i8:f32:{0:2}, {0.5:8, 0.25:-100}>>
    %d = stablehlo.uniform_dequantize %c : (tensor<4x!quant.uniform<i8:f32:{0:2}, {0.5:8, 0.25:-100}>>) -> tensor<4xf32>
    %r = stablehlo.add %arg0, %d : tensor<4xf32>
    func.return %r : tensor<4xf32>
  }
}
