// clause: add: dequantize, add, quantize
// Blocked operands, and a result of one scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-14, -4, -7, -19], [-4, -3, -8, -10]]> : tensor<2x4xi8>
// args: dense<[[-1, -2, 20, 3], [-15, 18, 1, 4]]> : tensor<2x4xi8>
// expect: dense<[[-38, -23, 12, -12], [-117, 105, -13, -8]]> : tensor<2x4xi8>
// wrong (zero point added after rounding, as ONNX): dense<[[-38, -23, 13, -12], [-117, 105, -13, -7]]> : tensor<2x4xi8>
// wrong (ties rounded away from zero): dense<[[-38, -23, 13, -12], [-117, 105, -13, -8]]> : tensor<2x4xi8>
// wrong (rounded toward zero): dense<[[-38, -23, 12, -11], [-116, 104, -13, -7]]> : tensor<2x4xi8>
// wrong (rounded down): dense<[[-39, -24, 12, -12], [-117, 104, -14, -8]]> : tensor<2x4xi8>
// wrong (scales per block left out): dense<[[-72, -42, 65, -32], [-78, 35, -18, -15]]> : tensor<2x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[-22, -14, 30, -18], [-48, 35, -27, -10]]> : tensor<2x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[-17, -2, 2, -22], [-127, 95, -12, -6]]> : tensor<2x4xi8>
// wrong (blocks half as long): dense<[[-38, -3, 8, -12], [-117, 33, -17, -8]]> : tensor<2x4xi8>
// wrong (blocks twice as long): dense<[[-38, -23, 8, -40], [-117, 105, -17, 0]]> : tensor<2x4xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>) -> tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>> {
    %r = "stablehlo.add"(%arg0, %arg1) : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5:2, 0.25:-1}, {2.0, 0.75:4}}>>) -> tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>
    func.return %r : tensor<2x4x!quant.uniform<i8:f32, 0.3:-5>>
  }
}
