// clause: uniform_quantize: quotients by the scale of the block
// The zero point is added before rounding to even: a tie of one block is none of the other.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0.25, 0.75, 0.125, 0.375]]> : tensor<1x4xf32>
// expect: dense<[[2, 2, -2, 0]]> : tensor<1x4xi8>
// wrong (zero point added after rounding, as ONNX): dense<[[1, 3, -2, 0]]> : tensor<1x4xi8>
// wrong (ties rounded away from zero): dense<[[2, 3, -2, -1]]> : tensor<1x4xi8>
// wrong (rounded toward zero): dense<[[1, 2, -1, 0]]> : tensor<1x4xi8>
// wrong (rounded down): dense<[[1, 2, -2, -1]]> : tensor<1x4xi8>
// wrong (scales per block left out): dense<[[1, 2, -2, -2]]> : tensor<1x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[2, 4, -2, -1]]> : tensor<1x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-2, 0, 2, 2]]> : tensor<1x4xi8>
// wrong (blocks half as long): dense<[[2, 1, 1, 0]]> : tensor<1x4xi8>
// wrong (blocks twice as long): dense<[[2, 2, 1, 2]]> : tensor<1x4xi8>
module {
  func.func @main(%arg0: tensor<1x4xf32>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:1, 0.25:-2}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<1x4xf32>) -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:1, 0.25:-2}}>>
    func.return %r : tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5:1, 0.25:-2}}>>
  }
}
