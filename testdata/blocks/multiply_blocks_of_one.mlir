// clause: multiply: dequantize, multiply, quantize
// Every element of a vector has its own scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[3, -5, 7, 100]> : tensor<4xi8>
// args: dense<[2, 9, -3, 4]> : tensor<4xi8>
// expect: dense<[3, -11, -42, 127]> : tensor<4xi8>
// wrong (rounded down): dense<[3, -12, -42, 127]> : tensor<4xi8>
// wrong (wrapped instead of saturated): dense<[3, -11, -42, -112]> : tensor<4xi8>
// wrong (scales per block left out): dense<[6, -45, -21, 127]> : tensor<4xi8>
// wrong (scale of the next block): dense<[2, -90, -21, 127]> : tensor<4xi8>
// wrong (scale of the block before): dense<[6, -22, -5, 127]> : tensor<4xi8>
// wrong (blocks twice as long): dense<[3, -22, -5, 100]> : tensor<4xi8>
module {
  func.func @main(%arg0: tensor<4x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25, 2.0, 1.0}>>, %arg1: tensor<4x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25, 2.0, 1.0}>>) -> tensor<4x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25, 2.0, 1.0}>> {
    %r = "stablehlo.multiply"(%arg0, %arg1) : (tensor<4x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25, 2.0, 1.0}>>, tensor<4x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25, 2.0, 1.0}>>) -> tensor<4x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25, 2.0, 1.0}>>
    func.return %r : tensor<4x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25, 2.0, 1.0}>>
  }
}
