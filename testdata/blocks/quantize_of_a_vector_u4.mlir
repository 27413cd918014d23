// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// A vector of three blocks. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[0.0, 0.5, -8.0, -0.25, 0.5, 0.75]> : tensor<6xf32>
// expect: dense<[8, 13, 0, 0, 15, 15]> : tensor<6xui4>
// wrong (wrapped instead of saturated): dense<[8, 13, 5, 0, 1, 2]> : tensor<6xui4>
// wrong (unsigned storage read and saturated as signed): dense<[7, 7, 0, 0, 7, 7]> : tensor<6xui4>
// wrong (scales per block left out): dense<[8, 8, 0, 0, 15, 15]> : tensor<6xui4>
// wrong (scale of the next block): dense<[8, 9, 0, 0, 15, 15]> : tensor<6xui4>
// wrong (scale of the block before): dense<[8, 10, 0, 0, 15, 15]> : tensor<6xui4>
// wrong (zero point of the next block): dense<[0, 5, 4, 15, 10, 10]> : tensor<6xui4>
// wrong (zero point of the block before): dense<[15, 15, 0, 8, 2, 2]> : tensor<6xui4>
// wrong (blocks half as long): dense<[8, 1, 0, 6, 1, 15]> : tensor<6xui4>
// wrong (blocks twice as long): dense<[8, 13, 0, 6, 1, 1]> : tensor<6xui4>
module {
  func.func @main(%arg0: tensor<6xf32>) -> tensor<6x!quant.uniform<u4:f32:{0:2}, {0.1:8, 0.7, 0.3:15}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<6xf32>) -> tensor<6x!quant.uniform<u4:f32:{0:2}, {0.1:8, 0.7, 0.3:15}>>
    func.return %r : tensor<6x!quant.uniform<u4:f32:{0:2}, {0.1:8, 0.7, 0.3:15}>>
  }
}
