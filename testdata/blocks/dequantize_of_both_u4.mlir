// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// Blocks of 2 by 3: the table is row-major. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0, 15, 0, 7, 5, 5], [2, 8, 1, 2, 2, 0], [14, 0, 8, 7, 8, 3], [5, 11, 9, 2, 5, 5]]> : tensor<4x6xui4>
// expect: dense<[[-4.0, 3.5, -4.0, 1.75, 1.25, 1.25], [-3.0, 0.0, -3.5, 0.5, 0.5, 0.0], [-2.0, -3.0e+01, -14.0, 3.0, 3.75, 0.0], [-2.0e+01, -8.0, -12.0, -0.75, 1.5, 1.5]]> : tensor<4x6xf32>
// wrong (scales per block left out): dense<[[-8.0, 7.0, -8.0, 7.0, 5.0, 5.0], [-6.0, 0.0, -7.0, 2.0, 2.0, 0.0], [-1.0, -15.0, -7.0, 4.0, 5.0, 0.0], [-1.0e+01, -4.0, -6.0, -1.0, 2.0, 2.0]]> : tensor<4x6xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-2.0, 1.75, -2.0, 3.5, 2.5, 2.5], [-1.5, 0.0, -1.75, 1.0, 1.0, 0.0], [-0.75, -11.25, -5.25, 8.0, 1.0e+01, 0.0], [-7.5, -3.0, -4.5, -2.0, 4.0, 4.0]]> : tensor<4x6xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[0.0, 7.5, 0.0, -0.25, -0.75, -0.75], [1.0, 4.0, 0.5, -1.5, -1.5, -2.0], [22.0, -6.0, 1.0e+01, -6.0, -5.25, -9.0], [4.0, 16.0, 12.0, -9.75, -7.5, -7.5]]> : tensor<4x6xf32>
// wrong (blocks twice as long): dense<[[-4.0, 3.5, -4.0, -0.5, -1.5, -1.5], [-3.0, 0.0, -3.5, -3.0, -3.0, -4.0], [-2.0, -3.0e+01, -14.0, -16.0, -14.0, -24.0], [-2.0e+01, -8.0, -12.0, -26.0, -2.0e+01, -2.0e+01]]> : tensor<4x6xf32>
module {
  func.func @main(%arg0: tensor<4x6x!quant.uniform<u4:f32:{0:2, 1:3}, {{0.5:8, 0.25}, {2.0:15, 0.75:3}}>>) -> tensor<4x6xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<4x6x!quant.uniform<u4:f32:{0:2, 1:3}, {{0.5:8, 0.25}, {2.0:15, 0.75:3}}>>) -> tensor<4x6xf32>
    func.return %r : tensor<4x6xf32>
  }
}
