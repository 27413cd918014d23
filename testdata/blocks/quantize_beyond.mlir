// clause: uniform_quantize: quotients by the scale of the block
// Both ends of the storage range, by two scales.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.0e+38, -1.0e+38, 64.0, -64.25]]> : tensor<1x4xf32>
// expect: dense<[[127, -128, 127, -128]]> : tensor<1x4xi8>
// wrong (wrapped instead of saturated): dense<[[0, 0, -2, -3]]> : tensor<1x4xi8>
// wrong (scales per block left out): dense<[[127, -128, 62, -66]]> : tensor<1x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[127, -128, 126, -128]]> : tensor<1x4xi8>
module {
  func.func @main(%arg0: tensor<1x4xf32>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:1, 0.25:-2}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<1x4xf32>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:1, 0.25:-2}}>>
    func.return %r : tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:1, 0.25:-2}}>>
  }
}
