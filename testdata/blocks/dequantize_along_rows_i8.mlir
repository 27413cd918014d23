// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// Blocks of 2 along rows: dimension 1, which is not named, is one block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 2], [-68, 125, 102], [113, 66, -21], [-80, 121, -114]]> : tensor<4x3xi8>
// expect: dense<[[-12.8, 12.7, 0.2], [-6.8, 12.5, 10.2], [79.1, 46.2, -14.7], [-56.0, 84.7, -79.799995]]> : tensor<4x3xf32>
// wrong (scales per block left out): dense<[[-128.0, 127.0, 2.0], [-68.0, 125.0, 102.0], [113.0, 66.0, -21.0], [-8.0e+01, 121.0, -114.0]]> : tensor<4x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-89.6, 88.9, 1.4], [-47.6, 87.5, 71.4], [11.3, 6.6, -2.1000001], [-8.0, 12.1, -11.400001]]> : tensor<4x3xf32>
// wrong (blocks half as long): dense<[[-12.8, 12.7, 0.2], [-47.6, 87.5, 71.4], [11.3, 6.6, -2.1000001], [-56.0, 84.7, -79.799995]]> : tensor<4x3xf32>
// wrong (blocks twice as long): dense<[[-12.8, 12.7, 0.2], [-6.8, 12.5, 10.2], [11.3, 6.6, -2.1000001], [-8.0, 12.1, -11.400001]]> : tensor<4x3xf32>
module {
  func.func @main(%arg0: tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.1}, {0.7}}>>) -> tensor<4x3xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<4x3x!quant.uniform<i8:f32:{0:2}, {{0.1}, {0.7}}>>) -> tensor<4x3xf32>
    func.return %r : tensor<4x3xf32>
  }
}
