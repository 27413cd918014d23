// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table of blocks in u4 to one of blocks of one column in i16: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0, 15, 11, 7], [10, 15, 4, 13], [15, 6, 14, 0], [15, 2, 12, 1]]> : tensor<4x4xui4>
// expect: dense<[[60, -95, 73, -101], [110, -95, 27, -97], [325, -102, 160, -100], [325, -102, 140, -100]]> : tensor<4x4xi16>
// wrong (rounded toward zero): dense<[[60, -94, 73, -100], [110, -94, 26, -97], [325, -101, 160, -100], [325, -102, 140, -99]]> : tensor<4x4xi16>
// wrong (rounded down): dense<[[60, -95, 73, -101], [110, -95, 26, -98], [325, -102, 160, -100], [325, -103, 140, -100]]> : tensor<4x4xi16>
// wrong (scales per block left out): dense<[[92, -85, 96, -101], [102, -85, 89, -95], [115, -109, 106, -100], [115, -113, 104, -99]]> : tensor<4x4xi16>
// wrong (scale of the next block): dense<[[83, -94, 91, -101], [104, -94, 75, -97], [111, -108, 109, -100], [111, -111, 106, -92]]> : tensor<4x4xi16>
// wrong (scale of the block before): dense<[[91, -81, 83, -100], [102, -81, 53, -99], [106, -122, 117, -100], [106, -132, 111, -98]]> : tensor<4x4xi16>
// wrong (zero point of the next block; zero point of the block before): dense<[[-100, 100, -80, 104], [-50, 100, -127, 108], [5, 101, -110, 100], [5, 100, -130, 100]]> : tensor<4x4xi16>
// wrong (blocks half as long): dense<[[60, -95, 73, -101], [250, -100, 60, -99], [135, -98, 93, -105], [325, -102, 140, -100]]> : tensor<4x4xi16>
// wrong (blocks twice as long): dense<[[60, 138, -111, -101], [110, 138, -131, -95], [135, 115, -103, -109], [135, 105, -109, -108]]> : tensor<4x4xi16>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<u4:f32:{0:2, 1:1}, {{0.5:8, 0.25, 2.0:15, 0.75:8}, {1.5, 0.125:15, 3.0:8, 0.0625}}>>) -> tensor<4x4x!quant.uniform<i16:f32:{1:1}, {{0.1:100, 0.7:-100, 0.3:100, 1.3:-100}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<u4:f32:{0:2, 1:1}, {{0.5:8, 0.25, 2.0:15, 0.75:8}, {1.5, 0.125:15, 3.0:8, 0.0625}}>>) -> tensor<4x4x!quant.uniform<i16:f32:{1:1}, {{0.1:100, 0.7:-100, 0.3:100, 1.3:-100}}>>
    func.return %r : tensor<4x4x!quant.uniform<i16:f32:{1:1}, {{0.1:100, 0.7:-100, 0.3:100, 1.3:-100}}>>
  }
}
