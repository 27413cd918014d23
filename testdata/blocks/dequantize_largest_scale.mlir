// clause: uniform_dequantize: a product may overflow
// The largest f32 times 2 is infinite, in its block only.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[1, -2, 2, -2]]> : tensor<1x4xi8>
// expect: dense<[[3.4028235e+38, 0xFF800000, 2.0, -2.0]]> : tensor<1x4xf32>
// wrong (scales per block left out): dense<[[1.0, -2.0, 2.0, -2.0]]> : tensor<1x4xf32>
// wrong (scale of the next block; scale of the block before): dense<[[1.0, -2.0, 0x7F800000, 0xFF800000]]> : tensor<1x4xf32>
// wrong (blocks half as long): dense<[[3.4028235e+38, -2.0, 0x7F800000, -2.0]]> : tensor<1x4xf32>
// wrong (blocks twice as long): dense<[[3.4028235e+38, 0xFF800000, 0x7F800000, 0xFF800000]]> : tensor<1x4xf32>
module {
  func.func @main(%arg0: tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{3.40282346638528860e+38, 1.0}}>>) -> tensor<1x4xf32> {
    %r = "stablehlo.uniform_dequantize"(%arg0) : (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{3.40282346638528860e+38, 1.0}}>>) -> tensor<1x4xf32>
    func.return %r : tensor<1x4xf32>
  }
}
