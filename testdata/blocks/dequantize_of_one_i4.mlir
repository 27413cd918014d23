// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// Blocks of one element: every element has its own scale. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-8, 7, -4], [-2, -7, 1]]> : tensor<2x3xi4>
// expect: dense<[[-4.5, 2.25, -8.0], [-6.75, 1.5, 0.0]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-9.0, 9.0, -4.0], [-9.0, 1.0, 0.0]]> : tensor<2x3xf32>
// wrong (scale of the next block): dense<[[-2.25, 18.0, -2.0], [-13.5, 0.125, 0.0]]> : tensor<2x3xf32>
// wrong (scale of the block before): dense<[[-18.0, 4.5, -1.0], [-1.125, 0.75, 0.0]]> : tensor<2x3xf32>
// wrong (zero point of the next block): dense<[[-3.0, 1.75, -1.0e+01], [4.5, -12.0, -0.75]]> : tensor<2x3xf32>
// wrong (zero point of the block before): dense<[[-4.0, 1.5, -4.0], [-2.25, -21.0, 1.125]]> : tensor<2x3xf32>
// wrong (blocks twice as long): dense<[[-4.5, 3.0, -0.5], [-6.75, -10.5, 13.5]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x3x!quant.uniform<i4:f32:{0:1, 1:1}, {{0.5:1, 0.25:-2, 2.0}, {0.75:7, 1.5:-8, 0.125:1}}>>) -> tensor<2x3xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x3x!quant.uniform<i4:f32:{0:1, 1:1}, {{0.5:1, 0.25:-2, 2.0}, {0.75:7, 1.5:-8, 0.125:1}}>>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
