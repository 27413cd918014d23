// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// One block is the whole tensor.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1.1, -8.0, 6.0, -0.5], [-1.0, -8.0, -8.0, 0.0]]> : tensor<2x4xf32>
// expect: dense<[[2, -8, 7, -1], [-2, -8, -8, 0]]> : tensor<2x4xi4>
// wrong (wrapped instead of saturated): dense<[[2, 0, -4, -1], [-2, 0, 0, 0]]> : tensor<2x4xi4>
// wrong (scales per block left out): dense<[[1, -8, 6, 0], [-1, -8, -8, 0]]> : tensor<2x4xi4>
module {
  func.func @main(%arg0: tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i4:f32:{0:2, 1:4}, {{0.5}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i4:f32:{0:2, 1:4}, {{0.5}}>>
    func.return %r : tensor<2x4x!quant.uniform<i4:f32:{0:2, 1:4}, {{0.5}}>>
  }
}
