// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table with blocks of 2 by 2 to one of blocks with a bounded range: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, -73, 35], [-76, -126, 114, -55], [-8, 71, -106, -81], [-78, 64, -37, -116]]> : tensor<4x4xi8>
// expect: dense<[[-50, 50, -50, 50], [-50, -50, 50, -50], [-50, 50, -50, -50], [-50, 50, -50, -50]]> : tensor<4x4xi8>
// wrong (storage_min and storage_max ignored, as StableHLO's passes at 32 bits): dense<[[-128, 127, -128, 67], [-128, -128, 127, -113], [-75, 127, -128, -128], [-128, 127, -128, -128]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[3, 1, 107, 67], [107, 7, -31, -113], [-75, 45, -117, 33], [-123, -11, 41, 79]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-50, 50, -50, 31], [-50, -50, 50, -50], [-5, 50, -50, -50], [-50, 50, -40, -50]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>) -> tensor<4x4x!quant.uniform<i8<-50:50>:f32:{1:2}, {{0.25:5, 0.125:-5}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:1, 0.25:-1}, {2.0:2, 0.75:-2}}>>) -> tensor<4x4x!quant.uniform<i8<-50:50>:f32:{1:2}, {{0.25:5, 0.125:-5}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8<-50:50>:f32:{1:2}, {{0.25:5, 0.125:-5}}>>
  }
}
