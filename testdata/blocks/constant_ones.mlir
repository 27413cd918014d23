// clause: constant: stored integers of a blocked type
// Its numbers are those of its blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.0, 1.0], [1.0, 1.0]]> : tensor<2x2xf32>
// expect: dense<[[3.5, 0.75], [-9.0, -3.5]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[6.0, 0.0], [-4.0, -5.0]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[2.25, 0.5], [-2.75, -11.0]]> : tensor<2x2xf32>
// wrong (blocks twice as long): dense<[[3.5, 0.5], [-9.0, -11.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %c = stablehlo.constant() {value = dense<[[5, -1], [-5, -6]]> : tensor<2x2xi4>} : () -> tensor<2x2x!quant.uniform<i4:f32:{0:1, 1:1}, {{0.5, 0.25}, {2.0, 0.75}}>>
    %d = stablehlo.uniform_dequantize %c : (tensor<2x2x!quant.uniform<i4:f32:{0:1, 1:1}, {{0.5, 0.25}, {2.0, 0.75}}>>) -> tensor<2x2xf32>
    %r = stablehlo.add %arg0, %d : tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
