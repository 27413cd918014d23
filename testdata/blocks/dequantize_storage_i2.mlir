// clause: uniform_dequantize: fl(fl(x - zero_point) * scale)
// The difference is exact; it is rounded to f32 once, and the product once more.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-2, 1], [1, -1], [-2, -1], [0, -2]]> : tensor<4x2xi2>
// expect: dense<[[-0.3, 0.7], [0.0, -0.7], [0.0, -2.6], [0.6, -3.8999999]]> : tensor<4x2xf32>
// wrong (scales per block left out): dense<[[-3.0, 1.0], [0.0, -1.0], [0.0, -2.0], [2.0, -3.0]]> : tensor<4x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-0.90000004, 1.3], [0.0, -1.3], [0.0, -1.4], [0.2, -2.1]]> : tensor<4x2xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[0.0, 0.0], [0.3, -1.4], [-0.90000004, -1.3], [-0.3, -2.6]]> : tensor<4x2xf32>
// wrong (blocks half as long): dense<[[-0.3, 0.7], [0.90000004, -2.6], [-0.3, -0.7], [0.6, -3.8999999]]> : tensor<4x2xf32>
// wrong (blocks twice as long): dense<[[-0.3, 0.7], [0.0, -0.7], [-0.3, -0.7], [-0.1, -1.4]]> : tensor<4x2xf32>
module {
  func.func @main(%arg0: tensor<4x2x!quant.uniform<i2:f32:{0:2, 1:1}, {{0.1:1, 0.7}, {0.3:-2, 1.3:1}}>>) -> tensor<4x2xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<4x2x!quant.uniform<i2:f32:{0:2, 1:1}, {{0.1:1, 0.7}, {0.3:-2, 1.3:1}}>>) -> tensor<4x2xf32>
    func.return %r : tensor<4x2xf32>
  }
}
