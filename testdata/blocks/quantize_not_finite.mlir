// clause: uniform_quantize: quotients by the scale of the block
// Infinities saturate; NaN is stored as 0, whatever the block's zero point (E4).
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x7F800000, 0xFF800000, 0x7FC00000, 0.0]]> : tensor<1x4xf32>
// expect: dense<[[127, -128, 0, -2]]> : tensor<1x4xi8>
// wrong (NaN quantized to the zero point): dense<[[127, -128, -2, -2]]> : tensor<1x4xi8>
// wrong (NaN quantized to storage_min): dense<[[127, -128, -128, -2]]> : tensor<1x4xi8>
// wrong (zero point of the next block; zero point of the block before; blocks twice as long): dense<[[127, -128, 0, 1]]> : tensor<1x4xi8>
module {
  func.func @main(%arg0: tensor<1x4xf32>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:1, 0.25:-2}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<1x4xf32>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:1, 0.25:-2}}>>
    func.return %r : tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:1, 0.25:-2}}>>
  }
}
