// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// Blocks of 2 along columns, the same in every row.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 85, -77], [-33, 23, -67, 42], [88, -31, 27, 17]]> : tensor<3x4xi8>
// expect: dense<[[-12.8, 12.7, 59.5, -53.899998], [-3.3, 2.3, -46.899998, 29.4], [8.8, -3.1000001, 18.9, 11.9]]> : tensor<3x4xf32>
// wrong (scales per block left out): dense<[[-128.0, 127.0, 85.0, -77.0], [-33.0, 23.0, -67.0, 42.0], [88.0, -31.0, 27.0, 17.0]]> : tensor<3x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-89.6, 88.9, 8.5, -7.7000003], [-23.1, 16.1, -6.7000003, 4.2000003], [61.6, -21.699999, 2.7, 1.7]]> : tensor<3x4xf32>
// wrong (blocks half as long): dense<[[-12.8, 88.9, 8.5, -53.899998], [-3.3, 16.1, -6.7000003, 29.4], [8.8, -21.699999, 2.7, 11.9]]> : tensor<3x4xf32>
// wrong (blocks twice as long): dense<[[-12.8, 12.7, 8.5, -7.7000003], [-3.3, 2.3, -6.7000003, 4.2000003], [8.8, -3.1000001, 2.7, 1.7]]> : tensor<3x4xf32>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.1, 0.7}}>>) -> tensor<3x4xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.1, 0.7}}>>) -> tensor<3x4xf32>
    func.return %r : tensor<3x4xf32>
  }
}
