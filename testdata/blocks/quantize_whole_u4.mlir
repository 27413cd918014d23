// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// One block is the whole tensor. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[9.0, -1.0, 3.5, -1.0], [0.75, 3.5, -8.0, 0.3]]> : tensor<2x4xf32>
// expect: dense<[[15, 0, 15, 0], [15, 15, 0, 11]]> : tensor<2x4xui4>
// wrong (wrapped instead of saturated): dense<[[2, 14, 11, 14], [0, 11, 8, 11]]> : tensor<2x4xui4>
// wrong (unsigned storage read and saturated as signed): dense<[[7, 0, 7, 0], [7, 7, 0, 7]]> : tensor<2x4xui4>
// wrong (scales per block left out): dense<[[15, 7, 12, 7], [9, 12, 0, 8]]> : tensor<2x4xui4>
module {
  func.func @main(%arg0: tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<u4:f32:{0:2, 1:4}, {{0.1:8}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<u4:f32:{0:2, 1:4}, {{0.1:8}}>>
    func.return %r : tensor<2x4x!quant.uniform<u4:f32:{0:2, 1:4}, {{0.1:8}}>>
  }
}
