// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// Blocks of one element: every element has its own scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, -46], [100, 90, -16]]> : tensor<2x3xi8>
// expect: dense<[[-12.8, 88.9, -13.8], [1.3e+02, 1.5300001, -46.4]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-128.0, 127.0, -46.0], [1.0e+02, 9.0e+01, -16.0]]> : tensor<2x3xf32>
// wrong (scale of the next block): dense<[[-89.6, 38.100002, -4.6], [1.7, 261.0, -20.8]]> : tensor<2x3xf32>
// wrong (scale of the block before): dense<[[-38.4, 12.7, -32.2], [2.9e+02, 116.99999, -0.272]]> : tensor<2x3xf32>
// wrong (blocks twice as long): dense<[[-12.8, 12.7, -32.2], [1.3e+02, 116.99999, -0.272]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.1, 0.7, 0.3}, {1.3, 0.017, 2.9}}>>) -> tensor<2x3xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x3x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.1, 0.7, 0.3}, {1.3, 0.017, 2.9}}>>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
