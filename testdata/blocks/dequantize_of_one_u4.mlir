// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// Blocks of one element: every element has its own scale. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0, 15, 0], [12, 10, 13]]> : tensor<2x3xui4>
// expect: dense<[[-4.0, 3.75, -3.0e+01], [6.75, 3.0, 1.625]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-8.0, 15.0, -15.0], [9.0, 2.0, 13.0]]> : tensor<2x3xf32>
// wrong (scale of the next block): dense<[[-2.0, 3.0e+01, -7.5], [13.5, 0.25, 9.75]]> : tensor<2x3xf32>
// wrong (scale of the block before): dense<[[-16.0, 7.5, -3.75], [1.125, 1.5, 19.5]]> : tensor<2x3xf32>
// wrong (zero point of the next block): dense<[[0.0, 0.0, -16.0], [3.0, 15.0, 1.25]]> : tensor<2x3xf32>
// wrong (zero point of the block before): dense<[[-7.5, 1.75, 0.0], [9.0, 10.5, 0.625]]> : tensor<2x3xf32>
// wrong (blocks twice as long): dense<[[-4.0, 3.5, 0.0], [6.75, 5.25, 7.5]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x3x!quant.uniform<u4:f32:{0:1, 1:1}, {{0.5:8, 0.25, 2.0:15}, {0.75:3, 1.5:8, 0.125}}>>) -> tensor<2x3xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x3x!quant.uniform<u4:f32:{0:1, 1:1}, {{0.5:8, 0.25, 2.0:15}, {0.75:3, 1.5:8, 0.125}}>>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
