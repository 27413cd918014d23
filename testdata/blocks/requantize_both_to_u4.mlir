// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table with blocks of 2 by 2 to one of blocks in u4: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, -48, 33], [-92, 51, 69, 71], [27, 56, 7, -31], [40, 91, -65, -63]]> : tensor<4x4xi8>
// expect: dense<[[0, 15, 9, 15], [0, 15, 15, 15], [15, 15, 10, 0], [15, 15, 0, 0]]> : tensor<4x4xui4>
// wrong (wrapped instead of saturated): dense<[[7, 12, 9, 3], [11, 4, 8, 0], [1, 15, 10, 4], [3, 15, 8, 4]]> : tensor<4x4xui4>
// wrong (unsigned storage read and saturated as signed): dense<[[0, 7, 7, 7], [0, 7, 7, 7], [7, 7, 7, 0], [7, 7, 0, 0]]> : tensor<4x4xui4>
// wrong (scales per block left out): dense<[[0, 15, 0, 15], [0, 15, 15, 15], [15, 15, 15, 0], [15, 15, 0, 0]]> : tensor<4x4xui4>
// wrong (scale of the next block; scale of the block before): dense<[[0, 15, 7, 15], [0, 15, 15, 15], [15, 15, 15, 0], [15, 15, 0, 0]]> : tensor<4x4xui4>
// wrong (zero point of the next block; zero point of the block before): dense<[[0, 15, 2, 11], [0, 15, 15, 15], [15, 15, 15, 0], [15, 15, 0, 0]]> : tensor<4x4xui4>
// wrong (blocks half as long; blocks twice as long): dense<[[0, 15, 3, 15], [0, 15, 15, 15], [15, 15, 15, 0], [15, 15, 0, 0]]> : tensor<4x4xui4>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>) -> tensor<4x4x!quant.uniform<u4:f32:{0:2, 1:1}, {{0.5:8, 0.25, 2.0:15, 0.75:8}, {1.5, 0.125:15, 3.0:8, 0.0625}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>) -> tensor<4x4x!quant.uniform<u4:f32:{0:2, 1:1}, {{0.5:8, 0.25, 2.0:15, 0.75:8}, {1.5, 0.125:15, 3.0:8, 0.0625}}>>
    func.return %r : tensor<4x4x!quant.uniform<u4:f32:{0:2, 1:1}, {{0.5:8, 0.25, 2.0:15, 0.75:8}, {1.5, 0.125:15, 3.0:8, 0.0625}}>>
  }
}
