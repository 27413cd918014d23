// clause: uniform_quantize: clamped to storage_min and storage_max
// Both blocks clamp at -100 and 100, at different numbers.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0.0, 1.0, 6.0e+01, -1.0], [-1.0e+02, -101.0, 5.0e+01, 49.75]]> : tensor<2x4xf32>
// expect: dense<[[100, 100, 100, -100], [-100, -100, 100, 99]]> : tensor<2x4xi8>
// wrong (storage_min and storage_max ignored, as StableHLO's passes at 32 bits): dense<[[100, 102, 127, -104], [-100, -102, 100, 99]]> : tensor<2x4xi8>
// wrong (wrapped instead of saturated): dense<[[100, 102, -116, -104], [-100, -102, 100, 99]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[100, 100, -40, -100], [0, -1, -50, -50]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[100, 100, 20, -100], [-100, -100, 0, 0]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-100, -98, 100, 96], [-100, -100, 100, 100]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[100, -96, 100, -100], [-100, -100, 100, 99]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[100, 100, 100, 98], [-100, -100, 100, 100]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i8<-100:100>:f32:{1:2}, {{0.5:100, 0.25:-100}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i8<-100:100>:f32:{1:2}, {{0.5:100, 0.25:-100}}>>
    func.return %r : tensor<2x4x!quant.uniform<i8<-100:100>:f32:{1:2}, {{0.5:100, 0.25:-100}}>>
  }
}
