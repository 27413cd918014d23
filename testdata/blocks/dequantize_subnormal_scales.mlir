// clause: uniform_dequantize: a subnormal scale is a scale
// Both scales are subnormal, and products are where they reach 2^-126, normal.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1, -1, 127, -128], [0, 64, 3, 2]]> : tensor<2x4xi8>
// expect: dense<[[5.877473e-39, -5.877473e-39, 1.49287765e-36, -1.5046326e-36], [0.0, 3.761583e-37, 3.5264825e-38, 2.3509884e-38]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[1.0, -1.0, 127.0, -128.0], [0.0, 64.0, 3.0, 2.0]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[1.1754942e-38, -1.1754942e-38, 7.464391e-37, -7.523166e-37], [0.0, 7.523163e-37, 1.763242e-38, 1.1754946e-38]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[5.877473e-39, -1.1754942e-38, 7.464391e-37, -1.5046326e-36], [0.0, 7.523163e-37, 1.763242e-38, 2.3509884e-38]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[5.877473e-39, -5.877473e-39, 7.464391e-37, -7.523166e-37], [0.0, 3.761583e-37, 1.763242e-38, 1.1754946e-38]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{5.87747315540990186e-39, 1.17549421069244108e-38}}>>) -> tensor<2x4xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{5.87747315540990186e-39, 1.17549421069244108e-38}}>>) -> tensor<2x4xf32>
    func.return %r : tensor<2x4xf32>
  }
}
