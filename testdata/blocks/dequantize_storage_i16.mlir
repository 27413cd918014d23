// clause: uniform_dequantize: fl(fl(x - zero_point) * scale)
// The difference is exact; it is rounded to f32 once, and the product once more.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-32768, 32767], [-14616, 1194], [3527, 19372], [19802, -10201]]> : tensor<4x2xi16>
// expect: dense<[[-3376.8, 22940.4], [-1561.6, 839.3], [1058.1001, 23883.6], [5940.6, -14561.3]]> : tensor<4x2xf32>
// wrong (scales per block left out): dense<[[-33768.0, 32772.0], [-15616.0, 1199.0], [3527.0, 18372.0], [19802.0, -11201.0]]> : tensor<4x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-10130.4, 42603.598], [-4684.8003, 1558.7], [352.7, 12860.399], [1980.2001, -7840.6997]]> : tensor<4x2xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-3276.8, 22236.9], [-1461.6, 135.8], [758.10004, 25190.1], [5640.6, -13254.8]]> : tensor<4x2xf32>
// wrong (blocks half as long): dense<[[-3376.8, 22940.4], [-4384.8003, 252.2], [252.7, 13563.899], [5940.6, -14561.3]]> : tensor<4x2xf32>
// wrong (blocks twice as long): dense<[[-3376.8, 22940.4], [-1561.6, 839.3], [252.7, 13563.899], [1880.2001, -7137.1997]]> : tensor<4x2xf32>
module {
  func.func @main(%arg0: tensor<4x2x!quant.uniform<i16:f32:{0:2, 1:1}, {{0.1:1000, 0.7:-5}, {0.3, 1.3:1000}}>>) -> tensor<4x2xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<4x2x!quant.uniform<i16:f32:{0:2, 1:1}, {{0.1:1000, 0.7:-5}, {0.3, 1.3:1000}}>>) -> tensor<4x2xf32>
    func.return %r : tensor<4x2xf32>
  }
}
