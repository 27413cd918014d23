// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// One block is the whole tensor. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-8, 7, -2, 5], [-2, 7, -5, 4]]> : tensor<2x4xi4>
// expect: dense<[[-4.5, 3.0, -1.5, 2.0], [-1.5, 3.0, -3.0, 1.5]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[-9.0, 6.0, -3.0, 4.0], [-3.0, 6.0, -6.0, 3.0]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i4:f32:{0:2, 1:4}, {{0.5:1}}>>) -> tensor<2x4xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x4x!quant.uniform<i4:f32:{0:2, 1:4}, {{0.5:1}}>>) -> tensor<2x4xf32>
    func.return %r : tensor<2x4xf32>
  }
}
