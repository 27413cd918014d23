// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table of one block to one of one scale: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, -77, -97], [38, -36, -89, -5], [-36, -1, 104, 73], [1, 60, 75, 51]]> : tensor<4x4xi8>
// expect: dense<[[-97, 94, -59, -74], [28, -28, -68, -5], [-28, -2, 77, 54], [0, 44, 55, 37]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-97, 94, -58, -73], [27, -28, -67, -4], [-28, -1, 77, 53], [0, 44, 55, 37]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-98, 94, -59, -74], [27, -28, -68, -5], [-28, -2, 77, 53], [-1, 44, 55, 37]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-128, 127, -128, -128], [87, -98, -128, -20], [-98, -10, 127, 127], [-6, 127, 127, 120]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:4}, {{0.3:4}}>>) -> tensor<4x4x!quant.uniform<i8:f32, 0.4:2>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32:{0:4}, {{0.3:4}}>>) -> tensor<4x4x!quant.uniform<i8:f32, 0.4:2>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32, 0.4:2>>
  }
}
