// clause: uniform_dequantize: a subnormal scale is a scale
// 2^-24 and the largest subnormal number of f16.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1, -128, 127, 3]]> : tensor<1x4xi8>
// expect: dense<[[6.0e-08, -7.6e-06, 0.007744, 0.0001829]]> : tensor<1x4xf16>
// wrong (scales per block left out): dense<[[1.0, -128.0, 127.0, 3.0]]> : tensor<1x4xf16>
// wrong (scale of the next block; scale of the block before): dense<[[6.1e-05, -0.007805, 7.57e-06, 2.0e-07]]> : tensor<1x4xf16>
// wrong (blocks half as long): dense<[[6.0e-08, -0.007805, 7.57e-06, 0.0001829]]> : tensor<1x4xf16>
// wrong (blocks twice as long): dense<[[6.0e-08, -7.6e-06, 7.57e-06, 2.0e-07]]> : tensor<1x4xf16>
module {
  func.func @main(%arg0: tensor<1x4x!quant.uniform<i8:f16:{1:2}, {{5.96046447753906250e-08, 6.09755516052246094e-05}}>>) -> tensor<1x4xf16> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<1x4x!quant.uniform<i8:f16:{1:2}, {{5.96046447753906250e-08, 6.09755516052246094e-05}}>>) -> tensor<1x4xf16>
    func.return %r : tensor<1x4xf16>
  }
}
