// clause: uniform_dequantize: zero points within storage_min and storage_max
// Zero points are the bounds, -100 and 100.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[100, -100, 100, -100], [0, 1, 0, -1]]> : tensor<2x4xi8>
// expect: dense<[[0.0, -1.0e+02, 5.0e+01, 0.0], [-5.0e+01, -49.5, 25.0, 24.75]]> : tensor<2x4xf32>
// wrong (scales per block left out): dense<[[0.0, -2.0e+02, 2.0e+02, 0.0], [-1.0e+02, -99.0, 1.0e+02, 99.0]]> : tensor<2x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[0.0, -5.0e+01, 1.0e+02, 0.0], [-25.0, -24.75, 5.0e+01, 49.5]]> : tensor<2x4xf32>
// wrong (zero point of the next block; zero point of the block before): dense<[[1.0e+02, 0.0, 0.0, -5.0e+01], [5.0e+01, 50.5, -25.0, -25.25]]> : tensor<2x4xf32>
// wrong (blocks half as long): dense<[[0.0, 0.0, 0.0, 0.0], [-5.0e+01, 25.25, -5.0e+01, 24.75]]> : tensor<2x4xf32>
// wrong (blocks twice as long): dense<[[0.0, -1.0e+02, 0.0, -1.0e+02], [-5.0e+01, -49.5, -5.0e+01, -50.5]]> : tensor<2x4xf32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8<-100:100>:f32:{1:2}, {{0.5:100, 0.25:-100}}>>) -> tensor<2x4xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x4x!quant.uniform<i8<-100:100>:f32:{1:2}, {{0.5:100, 0.25:-100}}>>) -> tensor<2x4xf32>
    func.return %r : tensor<2x4xf32>
  }
}
