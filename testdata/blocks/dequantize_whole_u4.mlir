// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// One block is the whole tensor. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0, 15, 6, 14], [5, 1, 12, 6]]> : tensor<2x4xui4>
// expect: dense<[[-4.0, 3.5, -1.0, 3.0], [-1.5, -3.5, 2.0, -1.0]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[-8.0, 7.0, -2.0, 6.0], [-3.0, -7.0, 4.0, -2.0]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<u4:f32:{0:2, 1:4}, {{0.5:8}}>>) -> tensor<2x4xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x4x!quant.uniform<u4:f32:{0:2, 1:4}, {{0.5:8}}>>) -> tensor<2x4xf32>
    func.return %r : tensor<2x4xf32>
  }
}
