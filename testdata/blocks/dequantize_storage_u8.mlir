// clause: uniform_dequantize: fl(fl(x - zero_point) * scale)
// The difference is exact; it is rounded to f32 once, and the product once more.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0, 255], [248, 12], [213, 9], [31, 181]]> : tensor<4x2xui8>
// expect: dense<[[-12.8, 178.5], [12.0, 8.4], [-12.6, 2.6], [-67.200005, 226.2]]> : tensor<4x2xf32>
// wrong (scales per block left out): dense<[[-128.0, 255.0], [1.2e+02, 12.0], [-42.0, 2.0], [-224.0, 174.0]]> : tensor<4x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-38.4, 331.5], [36.0, 15.599999], [-4.2000003, 1.4], [-22.4, 121.799995]]> : tensor<4x2xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-25.5, 173.59999], [-0.7, 3.5], [25.500002, 11.7], [-29.1, 235.29999]]> : tensor<4x2xf32>
// wrong (blocks half as long): dense<[[-12.8, 178.5], [-2.1000001, 6.5], [8.5, 6.2999997], [-67.200005, 226.2]]> : tensor<4x2xf32>
// wrong (blocks twice as long): dense<[[-12.8, 178.5], [12.0, 8.4], [8.5, 6.2999997], [-9.7, 126.7]]> : tensor<4x2xf32>
module {
  func.func @main(%arg0: tensor<4x2x!quant.uniform<u8:f32:{0:2, 1:1}, {{0.1:128, 0.7}, {0.3:255, 1.3:7}}>>) -> tensor<4x2xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<4x2x!quant.uniform<u8:f32:{0:2, 1:1}, {{0.1:128, 0.7}, {0.3:255, 1.3:7}}>>) -> tensor<4x2xf32>
    func.return %r : tensor<4x2xf32>
  }
}
