// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// A vector of three blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[6.0, 1.1, 3.5, -8.0, -0.25, 6.0]> : tensor<6xf32>
// expect: dense<[7, 2, 7, -8, 0, 3]> : tensor<6xi4>
// wrong (rounded down): dense<[7, 2, 7, -8, -1, 3]> : tensor<6xi4>
// wrong (wrapped instead of saturated): dense<[-4, 2, -2, 0, 0, 3]> : tensor<6xi4>
// wrong (scales per block left out): dense<[6, 1, 4, -8, 0, 6]> : tensor<6xi4>
// wrong (scale of the next block): dense<[7, 4, 2, -4, 0, 7]> : tensor<6xi4>
// wrong (scale of the block before): dense<[3, 1, 7, -8, -1, 7]> : tensor<6xi4>
// wrong (blocks half as long): dense<[7, 4, 2, -8, -1, 3]> : tensor<6xi4>
// wrong (blocks twice as long): dense<[7, 2, 7, -8, -1, 7]> : tensor<6xi4>
module {
  func.func @main(%arg0: tensor<6xf32>) -> tensor<6x!quant.uniform<i4:f32:{0:2}, {0.5, 0.25, 2.0}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<6xf32>) -> tensor<6x!quant.uniform<i4:f32:{0:2}, {0.5, 0.25, 2.0}>>
    func.return %r : tensor<6x!quant.uniform<i4:f32:{0:2}, {0.5, 0.25, 2.0}>>
  }
}
