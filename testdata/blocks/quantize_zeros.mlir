// clause: uniform_quantize: quotients by the scale of the block
// A zero is the zero point of its block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0.0, -0.0, 0.0, -0.0]]> : tensor<1x4xf32>
// expect: dense<[[1, 1, -2, -2]]> : tensor<1x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-2, -2, 1, 1]]> : tensor<1x4xi8>
// wrong (blocks half as long): dense<[[1, -2, 1, -2]]> : tensor<1x4xi8>
// wrong (blocks twice as long): dense<[[1, 1, 1, 1]]> : tensor<1x4xi8>
module {
  func.func @main(%arg0: tensor<1x4xf32>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:1, 0.25:-2}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<1x4xf32>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:1, 0.25:-2}}>>
    func.return %r : tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:1, 0.25:-2}}>>
  }
}
