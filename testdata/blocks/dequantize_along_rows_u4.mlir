// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// Blocks of 2 along rows: dimension 1, which is not named, is one block. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0, 15, 0], [14, 8, 7], [3, 10, 0], [0, 0, 0]]> : tensor<4x3xui4>
// expect: dense<[[-4.0, 3.5, -4.0], [3.0, 0.0, -0.5], [0.75, 2.5, 0.0], [0.0, 0.0, 0.0]]> : tensor<4x3xf32>
// wrong (scales per block left out): dense<[[-8.0, 7.0, -8.0], [6.0, 0.0, -1.0], [3.0, 1.0e+01, 0.0], [0.0, 0.0, 0.0]]> : tensor<4x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-2.0, 1.75, -2.0], [1.5, 0.0, -0.25], [1.5, 5.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<4x3xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[0.0, 7.5, 0.0], [7.0, 4.0, 3.5], [-1.25, 0.5, -2.0], [-2.0, -2.0, -2.0]]> : tensor<4x3xf32>
// wrong (blocks half as long): dense<[[-4.0, 3.5, -4.0], [3.5, 2.0, 1.75], [-2.5, 1.0, -4.0], [0.0, 0.0, 0.0]]> : tensor<4x3xf32>
// wrong (blocks twice as long): dense<[[-4.0, 3.5, -4.0], [3.0, 0.0, -0.5], [-2.5, 1.0, -4.0], [-4.0, -4.0, -4.0]]> : tensor<4x3xf32>
module {
  func.func @main(%arg0: tensor<4x3x!quant.uniform<u4:f32:{0:2}, {{0.5:8}, {0.25}}>>) -> tensor<4x3xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<4x3x!quant.uniform<u4:f32:{0:2}, {{0.5:8}, {0.25}}>>) -> tensor<4x3xf32>
    func.return %r : tensor<4x3xf32>
  }
}
