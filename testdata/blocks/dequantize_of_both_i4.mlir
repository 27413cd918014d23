// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// Blocks of 2 by 3: the table is row-major. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-8, 7, 0, 1, 6, 2], [7, 7, -5, -8, 1, 4], [2, 5, -2, 0, -5, 0], [-2, 5, -8, -1, -8, 4]]> : tensor<4x6xi4>
// expect: dense<[[-4.5, 3.0, -0.5, 0.75, 2.0, 1.0], [3.0, 3.0, -3.0, -1.5, 0.75, 1.5], [4.0, 1.0e+01, -4.0, -5.25, -9.0, -5.25], [-4.0, 1.0e+01, -16.0, -6.0, -11.25, -2.25]]> : tensor<4x6xf32>
// wrong (scales per block left out): dense<[[-9.0, 6.0, -1.0, 3.0, 8.0, 4.0], [6.0, 6.0, -6.0, -6.0, 3.0, 6.0], [2.0, 5.0, -2.0, -7.0, -12.0, -7.0], [-2.0, 5.0, -8.0, -8.0, -15.0, -3.0]]> : tensor<4x6xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-2.25, 1.5, -0.25, 1.5, 4.0, 2.0], [1.5, 1.5, -1.5, -3.0, 1.5, 3.0], [1.5, 3.75, -1.5, -14.0, -24.0, -14.0], [-1.5, 3.75, -6.0, -16.0, -3.0e+01, -6.0]]> : tensor<4x6xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-3.0, 4.5, 1.0, 0.0, 1.25, 0.25], [4.5, 4.5, -1.5, -2.25, 0.0, 0.75], [-1.0e+01, -4.0, -18.0, 0.0, -3.75, 0.0], [-18.0, -4.0, -3.0e+01, -0.75, -6.0, 3.0]]> : tensor<4x6xf32>
// wrong (blocks twice as long): dense<[[-4.5, 3.0, -0.5, 0.0, 2.5, 0.5], [3.0, 3.0, -3.0, -4.5, 0.0, 1.5], [4.0, 1.0e+01, -4.0, 0.0, -1.0e+01, 0.0], [-4.0, 1.0e+01, -16.0, -2.0, -16.0, 8.0]]> : tensor<4x6xf32>
module {
  func.func @main(%arg0: tensor<4x6x!quant.uniform<i4:f32:{0:2, 1:3}, {{0.5:1, 0.25:-2}, {2.0, 0.75:7}}>>) -> tensor<4x6xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<4x6x!quant.uniform<i4:f32:{0:2, 1:3}, {{0.5:1, 0.25:-2}, {2.0, 0.75:7}}>>) -> tensor<4x6xf32>
    func.return %r : tensor<4x6xf32>
  }
}
