// clause: uniform_quantize: dequantize by the operand's table, quantize by the result's
// From a table of one scale to one of one block: no ratio of two scales serves all elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-128, 127, 64, -8], [83, -46, 84, 119], [-49, 77, -52, -45], [-79, 126, 119, 98]]> : tensor<4x4xi8>
// expect: dense<[[-128, 127, 87, -9], [112, -60, 113, 127], [-64, 104, -68, -59], [-104, 127, 127, 127]]> : tensor<4x4xi8>
// wrong (rounded toward zero): dense<[[-128, 127, 86, -9], [112, -60, 113, 127], [-63, 103, -68, -58], [-104, 127, 127, 127]]> : tensor<4x4xi8>
// wrong (rounded down): dense<[[-128, 127, 86, -10], [112, -60, 113, 127], [-64, 103, -68, -59], [-104, 127, 127, 127]]> : tensor<4x4xi8>
// wrong (wrapped instead of saturated): dense<[[87, -85, 87, -9], [112, -60, 113, -96], [-64, 104, -68, -59], [-104, -87, -96, -124]]> : tensor<4x4xi8>
// wrong (scales per block left out): dense<[[-48, 54, 29, 0], [36, -15, 37, 51], [-16, 34, -18, -15], [-28, 54, 51, 42]]> : tensor<4x4xi8>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32, 0.4:2>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:4}, {{0.3:4}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<4x4x!quant.uniform<i8:f32, 0.4:2>>) -> tensor<4x4x!quant.uniform<i8:f32:{0:4}, {{0.3:4}}>>
    func.return %r : tensor<4x4x!quant.uniform<i8:f32:{0:4}, {{0.3:4}}>>
  }
}
