// clause: uniform_quantize: clamped to the storage range
// Numbers beyond the range, at ties, and near zero.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-1.0, 0.0], [0.35, 2.1], [1.0e+09, -1.0e+09], [0.04, 1.25]]> : tensor<4x2xf32>
// expect: dense<[[990, -5], [1004, -2], [32767, -32768], [0, 1001]]> : tensor<4x2xi16>
// wrong (rounded toward zero; rounded down): dense<[[990, -5], [1003, -2], [32767, -32768], [0, 1000]]> : tensor<4x2xi16>
// wrong (wrapped instead of saturated): dense<[[990, -5], [1004, -2], [-24320, 31808], [0, 1001]]> : tensor<4x2xi16>
// wrong (scales per block left out): dense<[[999, -5], [1000, -3], [32767, -32768], [0, 1001]]> : tensor<4x2xi16>
// wrong (scale of the next block; scale of the block before): dense<[[997, -5], [1001, -3], [32767, -32768], [0, 1002]]> : tensor<4x2xi16>
// wrong (zero point of the next block; zero point of the block before): dense<[[-10, 1000], [4, 1003], [32767, -32768], [1000, -4]]> : tensor<4x2xi16>
// wrong (blocks half as long): dense<[[990, -5], [1, 1002], [32767, -32768], [0, 1001]]> : tensor<4x2xi16>
// wrong (blocks twice as long): dense<[[990, -5], [1004, -2], [32767, -32768], [1000, -3]]> : tensor<4x2xi16>
module {
  func.func @main(%arg0: tensor<4x2xf32>) -> tensor<4x2x!quant.uniform<i16:f32:{0:2, 1:1}, {{0.1:1000, 0.7:-5}, {0.3, 1.3:1000}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x2xf32>) -> tensor<4x2x!quant.uniform<i16:f32:{0:2, 1:1}, {{0.1:1000, 0.7:-5}, {0.3, 1.3:1000}}>>
    func.return %r : tensor<4x2x!quant.uniform<i16:f32:{0:2, 1:1}, {{0.1:1000, 0.7:-5}, {0.3, 1.3:1000}}>>
  }
}
