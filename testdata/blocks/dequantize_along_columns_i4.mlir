// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// Blocks of 2 along columns, the same in every row. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-8, 7, 4, 3], [7, -8, 7, -7], [1, 4, -3, -3]]> : tensor<3x4xi4>
// expect: dense<[[-4.5, 3.0, 1.5, 1.25], [3.0, -4.5, 2.25, -1.25], [0.0, 1.5, -0.25, -0.25]]> : tensor<3x4xf32>
// wrong (scales per block left out): dense<[[-9.0, 6.0, 6.0, 5.0], [6.0, -9.0, 9.0, -5.0], [0.0, 3.0, -1.0, -1.0]]> : tensor<3x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-2.25, 1.5, 3.0, 2.5], [1.5, -2.25, 4.5, -2.5], [0.0, 0.75, -0.5, -0.5]]> : tensor<3x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-3.0, 4.5, 0.75, 0.5], [4.5, -3.0, 1.5, -2.0], [1.5, 3.0, -1.0, -1.0]]> : tensor<3x4xf32>
// wrong (blocks half as long): dense<[[-4.5, 2.25, 1.5, 1.25], [3.0, -1.5, 3.0, -1.25], [0.0, 1.5, -2.0, -0.25]]> : tensor<3x4xf32>
// wrong (blocks twice as long): dense<[[-4.5, 3.0, 1.5, 1.0], [3.0, -4.5, 3.0, -4.0], [0.0, 1.5, -2.0, -2.0]]> : tensor<3x4xf32>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i4:f32:{1:2}, {{0.5:1, 0.25:-2}}>>) -> tensor<3x4xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<3x4x!quant.uniform<i4:f32:{1:2}, {{0.5:1, 0.25:-2}}>>) -> tensor<3x4xf32>
    func.return %r : tensor<3x4xf32>
  }
}
