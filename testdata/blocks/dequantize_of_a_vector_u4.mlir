// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// A vector of three blocks. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0, 15, 6, 10, 4, 10]> : tensor<6xui4>
// expect: dense<[-4.0, 3.5, 1.5, 2.5, -22.0, -1.0e+01]> : tensor<6xf32>
// wrong (scales per block left out): dense<[-8.0, 7.0, 6.0, 1.0e+01, -11.0, -5.0]> : tensor<6xf32>
// wrong (scale of the next block): dense<[-2.0, 1.75, 12.0, 2.0e+01, -5.5, -2.5]> : tensor<6xf32>
// wrong (scale of the block before): dense<[-16.0, 14.0, 3.0, 5.0, -2.75, -1.25]> : tensor<6xf32>
// wrong (zero point of the next block): dense<[0.0, 7.5, -2.25, -1.25, -8.0, 4.0]> : tensor<6xf32>
// wrong (zero point of the block before): dense<[-7.5, 0.0, -0.5, 0.5, 8.0, 2.0e+01]> : tensor<6xf32>
// wrong (blocks half as long): dense<[-4.0, 3.75, -18.0, 1.0, 1.0, -1.0e+01]> : tensor<6xf32>
// wrong (blocks twice as long): dense<[-4.0, 3.5, -1.0, 1.0, 1.0, 2.5]> : tensor<6xf32>
module {
  func.func @main(%arg0: tensor<6x!quant.uniform<u4:f32:{0:2}, {0.5:8, 0.25, 2.0:15}>>) -> tensor<6xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<6x!quant.uniform<u4:f32:{0:2}, {0.5:8, 0.25, 2.0:15}>>) -> tensor<6xf32>
    func.return %r : tensor<6xf32>
  }
}
