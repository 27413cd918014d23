// clause: uniform_dequantize: a subnormal scale is a scale
// The first block's scale is 2^-149: products are exact, and are subnormal.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1, -1, 127, -128], [0, 64, 3, 2]]> : tensor<2x4xi8>
// expect: dense<[[1.0e-45, -1.0e-45, 63.5, -64.0], [0.0, 9.0e-44, 1.5, 1.0]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[1.0, -1.0, 127.0, -128.0], [0.0, 64.0, 3.0, 2.0]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[0.5, -0.5, 1.78e-43, -1.8e-43], [0.0, 32.0, 4.0e-45, 3.0e-45]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[1.0e-45, -0.5, 1.78e-43, -64.0], [0.0, 32.0, 4.0e-45, 1.0]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[1.0e-45, -1.0e-45, 1.78e-43, -1.8e-43], [0.0, 9.0e-44, 4.0e-45, 3.0e-45]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{1.40129846432481707e-45, 0.5}}>>) -> tensor<2x4xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{1.40129846432481707e-45, 0.5}}>>) -> tensor<2x4xf32>
    func.return %r : tensor<2x4xf32>
  }
}
