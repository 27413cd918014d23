// clause: uniform_dequantize: (x - zero_point) * scale of the element's block
// One block is the whole tensor.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 30, 24], [-47, 85, 1, -62]]> : tensor<2x4xi8>
// expect: dense<[[-12.8, 12.7, 3.0, 2.4], [-4.7000003, 8.5, 0.1, -6.2000003]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[-128.0, 127.0, 3.0e+01, 24.0], [-47.0, 85.0, 1.0, -62.0]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{0:2, 1:4}, {{0.1}}>>) -> tensor<2x4xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x4x!quant.uniform<i8:f32:{0:2, 1:4}, {{0.1}}>>) -> tensor<2x4xf32>
    func.return %r : tensor<2x4xf32>
  }
}
