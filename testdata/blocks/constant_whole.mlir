// clause: constant: stored integers of a blocked type
// Its numbers are those of its blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.0, 1.0], [1.0, 1.0]]> : tensor<2x2xf32>
// expect: dense<[[16.3, -2.0], [6.4, 13.0]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[52.0, -9.0], [19.0, 41.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %c = stablehlo.constant() {value = dense<[[53, -8], [20, 42]]> : tensor<2x2xi8>} : () -> tensor<2x2x!quant.uniform<i8:f32:{0:2}, {{0.3:2}}>>
    %d = stablehlo.uniform_dequantize %c : (tensor<2x2x!quant.uniform<i8:f32:{0:2}, {{0.3:2}}>>) -> tensor<2x2xf32>
    %r = stablehlo.add %arg0, %d : tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
