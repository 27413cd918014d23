// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// A vector of three blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[-128, 127, -120, 38, 77, 16]> : tensor<6xi8>
// expect: dense<[-12.8, 12.7, -84.0, 26.6, 23.1, 4.8]> : tensor<6xf32>
// wrong (scales per block left out): dense<[-128.0, 127.0, -1.2e+02, 38.0, 77.0, 16.0]> : tensor<6xf32>
// wrong (scale of the next block): dense<[-89.6, 88.9, -36.0, 11.400001, 7.7000003, 1.6]> : tensor<6xf32>
// wrong (scale of the block before): dense<[-38.4, 38.100002, -12.0, 3.8, 53.899998, 11.2]> : tensor<6xf32>
// wrong (blocks half as long): dense<[-12.8, 88.9, -36.0, 3.8, 53.899998, 4.8]> : tensor<6xf32>
// wrong (blocks twice as long): dense<[-12.8, 12.7, -12.0, 3.8, 53.899998, 11.2]> : tensor<6xf32>
module {
  func.func @main(%arg0: tensor<6x!quant.uniform<i8:f32:{0:2}, {0.1, 0.7, 0.3}>>) -> tensor<6xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<6x!quant.uniform<i8:f32:{0:2}, {0.1, 0.7, 0.3}>>) -> tensor<6xf32>
    func.return %r : tensor<6xf32>
  }
}
