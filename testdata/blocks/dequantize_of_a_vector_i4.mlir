// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// A vector of three blocks. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-8, 7, 0, -5, 4, 3]> : tensor<6xi4>
// expect: dense<[-4.5, 3.0, 0.5, -0.75, 8.0, 6.0]> : tensor<6xf32>
// wrong (scales per block left out): dense<[-9.0, 6.0, 2.0, -3.0, 4.0, 3.0]> : tensor<6xf32>
// wrong (scale of the next block): dense<[-2.25, 1.5, 4.0, -6.0, 2.0, 1.5]> : tensor<6xf32>
// wrong (scale of the block before): dense<[-18.0, 12.0, 1.0, -1.5, 1.0, 0.75]> : tensor<6xf32>
// wrong (zero point of the next block): dense<[-3.0, 4.5, 0.0, -1.25, 6.0, 4.0]> : tensor<6xf32>
// wrong (zero point of the block before): dense<[-4.0, 3.5, -0.25, -1.5, 12.0, 1.0e+01]> : tensor<6xf32>
// wrong (blocks half as long): dense<[-4.5, 2.25, 0.0, -3.0, 1.5, 6.0]> : tensor<6xf32>
// wrong (blocks twice as long): dense<[-4.5, 3.0, -0.5, -3.0, 1.5, 1.25]> : tensor<6xf32>
module {
  func.func @main(%arg0: tensor<6x!quant.uniform<i4:f32:{0:2}, {0.5:1, 0.25:-2, 2.0}>>) -> tensor<6xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<6x!quant.uniform<i4:f32:{0:2}, {0.5:1, 0.25:-2, 2.0}>>) -> tensor<6xf32>
    func.return %r : tensor<6xf32>
  }
}
