// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// Blocks of 2 along columns, the same in every row. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0, 15, 1, 15], [7, 12, 13, 5], [11, 11, 2, 14]]> : tensor<3x4xui4>
// expect: dense<[[-4.0, 3.5, 0.25, 3.75], [-0.5, 2.0, 3.25, 1.25], [1.5, 1.5, 0.5, 3.5]]> : tensor<3x4xf32>
// wrong (scales per block left out): dense<[[-8.0, 7.0, 1.0, 15.0], [-1.0, 4.0, 13.0, 5.0], [3.0, 3.0, 2.0, 14.0]]> : tensor<3x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-2.0, 1.75, 0.5, 7.5], [-0.25, 1.0, 6.5, 2.5], [0.75, 0.75, 1.0, 7.0]]> : tensor<3x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[0.0, 7.5, -1.75, 1.75], [3.5, 6.0, 1.25, -0.75], [5.5, 5.5, -1.5, 1.5]]> : tensor<3x4xf32>
// wrong (blocks half as long): dense<[[-4.0, 3.75, -3.5, 3.75], [-0.5, 3.0, 2.5, 1.25], [1.5, 2.75, -3.0, 3.5]]> : tensor<3x4xf32>
// wrong (blocks twice as long): dense<[[-4.0, 3.5, -3.5, 3.5], [-0.5, 2.0, 2.5, -1.5], [1.5, 1.5, -3.0, 3.0]]> : tensor<3x4xf32>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<u4:f32:{1:2}, {{0.5:8, 0.25}}>>) -> tensor<3x4xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<3x4x!quant.uniform<u4:f32:{1:2}, {{0.5:8, 0.25}}>>) -> tensor<3x4xf32>
    func.return %r : tensor<3x4xf32>
  }
}
