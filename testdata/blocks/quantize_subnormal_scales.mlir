// clause: uniform_quantize: a subnormal scale is a scale
// Quotients of subnormal numbers are whole numbers; a scale flushed to zero gives infinities.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[3.0e-45, -1.4e-43, 5.877473e-39, -2.9387362e-38]]> : tensor<1x4xf32>
// expect: dense<[[2, -100, 1, -5]]> : tensor<1x4xi8>
// wrong (rounded toward zero): dense<[[2, -100, 1, -4]]> : tensor<1x4xi8>
// wrong (scales per block left out): dense<[[0, 0, 0, 0]]> : tensor<1x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[0, 0, 127, -128]]> : tensor<1x4xi8>
// wrong (blocks half as long): dense<[[2, 0, 127, -5]]> : tensor<1x4xi8>
// wrong (blocks twice as long): dense<[[2, -100, 127, -128]]> : tensor<1x4xi8>
module {
  func.func @main(%arg0: tensor<1x4xf32>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{1.40129846432481707e-45, 5.87747315540990186e-39}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<1x4xf32>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{1.40129846432481707e-45, 5.87747315540990186e-39}}>>
    func.return %r : tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{1.40129846432481707e-45, 5.87747315540990186e-39}}>>
  }
}
