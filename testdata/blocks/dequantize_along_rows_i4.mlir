// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// Blocks of 2 along rows: dimension 1, which is not named, is one block. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-8, 7, 5], [-8, -1, 6], [7, -1, 3], [-1, -1, 6]]> : tensor<4x3xi4>
// expect: dense<[[-4.5, 3.0, 2.0], [-4.5, -1.0, 2.5], [2.25, 0.25, 1.25], [0.25, 0.25, 2.0]]> : tensor<4x3xf32>
// wrong (scales per block left out): dense<[[-9.0, 6.0, 4.0], [-9.0, -2.0, 5.0], [9.0, 1.0, 5.0], [1.0, 1.0, 8.0]]> : tensor<4x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-2.25, 1.5, 1.0], [-2.25, -0.5, 1.25], [4.5, 0.5, 2.5], [0.5, 0.5, 4.0]]> : tensor<4x3xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-3.0, 4.5, 3.5], [-3.0, 0.5, 4.0], [1.5, -0.5, 0.5], [-0.5, -0.5, 1.25]]> : tensor<4x3xf32>
// wrong (blocks half as long): dense<[[-4.5, 3.0, 2.0], [-1.5, 0.25, 2.0], [3.0, -1.0, 1.0], [0.25, 0.25, 2.0]]> : tensor<4x3xf32>
// wrong (blocks twice as long): dense<[[-4.5, 3.0, 2.0], [-4.5, -1.0, 2.5], [3.0, -1.0, 1.0], [-1.0, -1.0, 2.5]]> : tensor<4x3xf32>
module {
  func.func @main(%arg0: tensor<4x3x!quant.uniform<i4:f32:{0:2}, {{0.5:1}, {0.25:-2}}>>) -> tensor<4x3xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<4x3x!quant.uniform<i4:f32:{0:2}, {{0.5:1}, {0.25:-2}}>>) -> tensor<4x3xf32>
    func.return %r : tensor<4x3xf32>
  }
}
