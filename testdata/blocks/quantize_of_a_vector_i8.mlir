// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// A vector of three blocks. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[64.0, -64.0, -64.5, -64.5, -0.0, -0.25]> : tensor<6xf32>
// expect: dense<[127, -125, -128, -128, 0, 0]> : tensor<6xi8>
// wrong (rounded down): dense<[127, -125, -128, -128, 0, -1]> : tensor<6xi8>
// wrong (wrapped instead of saturated): dense<[-125, -125, -9, -9, 0, 0]> : tensor<6xi8>
// wrong (scales per block left out): dense<[67, -61, -72, -72, 0, 0]> : tensor<6xi8>
// wrong (scale of the next block): dense<[127, -128, -39, -39, 0, 0]> : tensor<6xi8>
// wrong (scale of the block before): dense<[35, -29, -128, -128, 0, -1]> : tensor<6xi8>
// wrong (zero point of the next block): dense<[121, -128, -128, -128, 3, 3]> : tensor<6xi8>
// wrong (zero point of the block before): dense<[127, -128, -128, -128, -7, -7]> : tensor<6xi8>
// wrong (blocks half as long): dense<[127, -128, -32, -126, -7, 0]> : tensor<6xi8>
// wrong (blocks twice as long): dense<[127, -125, -126, -126, -7, -8]> : tensor<6xi8>
module {
  func.func @main(%arg0: tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32:{0:2}, {0.5:3, 0.25:-7, 2.0}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32:{0:2}, {0.5:3, 0.25:-7, 2.0}>>
    func.return %r : tensor<6x!quant.uniform<i8:f32:{0:2}, {0.5:3, 0.25:-7, 2.0}>>
  }
}
