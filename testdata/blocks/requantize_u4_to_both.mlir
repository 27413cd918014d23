// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table of blocks in u4 to one with blocks of 2 by 2: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0, 15, 13, 1], [15, 10, 0, 1], [4, 1, 3, 1], [2, 15, 1, 2]]> : tensor<4x4xui4>
// expect: dense<[[-7, 8, -17, -22], [8, 6, -121, -22], [5, 1, -22, -2], [4, 2, -30, -2]]> : tensor<4x4xi8>
// wrong (zero point added after rounding, as ONNX; ties rounded away from zero): dense<[[-7, 9, -17, -22], [8, 6, -121, -22], [5, 1, -22, -2], [4, 2, -30, -2]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-7, 8, -17, -22], [8, 6, -121, -22], [5, 1, -22, -1], [3, 2, -30, -1]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-7, 8, -17, -22], [8, 6, -121, -22], [5, 1, -22, -2], [3, 2, -30, -2]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-7, 16, -3, -8], [8, 11, -16, -8], [6, -12, -7, -1], [4, 2, -9, 0]]> : tensor<4x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-47, 8, -13, -2], [43, 6, -91, -2], [5, -3, -7, -2], [3, 2, -9, -1]]> : tensor<4x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-1, -1, 41, 4], [14, -4, -63, 4], [-5, -2, -46, 1], [-6, -1, -54, 2]]> : tensor<4x4xi8>
// wrong (blocks half as long): dense<[[-7, 14, -7, -22], [46, -4, -47, -1], [1, -2, -10, -9], [4, -2, -8, -2]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-7, 8, -7, -10], [8, 6, -59, -10], [1, 2, -10, -1], [0, 4, -12, 0]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<u4:f32:{0:2, 1:1}, {{0.5:8, 0.25, 2.0:15, 0.75:8}, {1.5, 0.125:15, 3.0:8, 0.0625}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<u4:f32:{0:2, 1:1}, {{0.5:8, 0.25, 2.0:15, 0.75:8}, {1.5, 0.125:15, 3.0:8, 0.0625}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>
  }
}
