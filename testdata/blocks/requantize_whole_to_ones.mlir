// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table of one block to one with blocks of one element: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 95, 4], [27, 45, -123, 84], [33, -118, 64, -60], [-98, 42, 110, 52]]> : tensor<4x4xi8>
// expect: dense<[[-79, 127, 14, 0], [5, 98, -13, 127], [2, -98, 4, -22], [-128, 16, 106, 11]]> : tensor<4x4xi8>
// wrong (ties rounded away from zero): dense<[[-79, 127, 14, 0], [5, 98, -13, 127], [2, -98, 5, -22], [-128, 16, 106, 11]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-79, 127, 13, 0], [4, 98, -12, 127], [1, -97, 4, -21], [-128, 16, 106, 11]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-80, 127, 13, 0], [4, 98, -13, 127], [1, -98, 4, -22], [-128, 16, 106, 11]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[-79, -108, 14, 0], [5, 98, -13, -128], [2, -98, 4, -22], [-50, 16, 106, 11]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-128, 123, 91, 0], [23, 41, -127, 80], [29, -122, 60, -64], [-102, 38, 106, 48]]> : tensor<4x4xi8>
// wrong (scale of the next block): dense<[[-128, 18, 36, 0], [55, 4, -128, 16], [23, -9, 21, -4], [-44, 38, 24, 127]]> : tensor<4x4xi8>
// wrong (scale of the block before): dense<[[-53, 74, 109, 0], [110, 8, -128, 8], [10, -7, 48, -5], [-24, 114, 45, 48]]> : tensor<4x4xi8>
// wrong (blocks twice as long): dense<[[-79, 74, 109, 0], [5, 8, -128, 127], [2, -7, 48, -51], [-128, 114, 45, 21]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:4}, {{0.3:4}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0, 0.75}, {1.5, 0.125, 3.0, 0.0625}, {5.0, 0.375, 4.0, 0.875}, {0.1, 0.7, 0.3, 1.3}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{0:4}, {{0.3:4}}>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0, 0.75}, {1.5, 0.125, 3.0, 0.0625}, {5.0, 0.375, 4.0, 0.875}, {0.1, 0.7, 0.3, 1.3}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5, 0.25, 2.0, 0.75}, {1.5, 0.125, 3.0, 0.0625}, {5.0, 0.375, 4.0, 0.875}, {0.1, 0.7, 0.3, 1.3}}>>
  }
}
