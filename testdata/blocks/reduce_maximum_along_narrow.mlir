// clause: reduce: every leaf is converted with its block's parameters
// Along blocks: leaves of one sum have two scales.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[3, 4, 13, 4], [-2, -12, 11, -17], [-9, 7, 18, 5]]> : tensor<3x4xi8>
// args: dense<1> : tensor<i8>
// expect: dense<[13, 12, 16]> : tensor<3xi8>
// wrong (zero point added after rounding, as ONNX; rounded toward zero; rounded down): dense<[13, 12, 15]> : tensor<3xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes; blocks half as long; blocks twice as long): dense<[13, 11, 18]> : tensor<3xi8>
// wrong (accumulated exactly and stored once; accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[17, -15, 12]> : tensor<3xi8>
// wrong (saturated instead of wrapped): dense<[29, -3, 24]> : tensor<3xi8>
// wrong (least stored integer, not requantized): dense<[1, -12, -9]> : tensor<3xi8>
// wrong (scattered values overwrite each other): dense<[8, 1, 9]> : tensor<3xi8>
// wrong (scales per block left out): dense<[43, 39, 53]> : tensor<3xi8>
// wrong (scale of the next block; scale of the block before): dense<[23, 21, 28]> : tensor<3xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[14, 8, 17]> : tensor<3xi8>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:3>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<!quant.uniform<i8:f32, 0.5:3>>):
      %s = stablehlo.maximum %a, %b : tensor<!quant.uniform<i8:f32, 0.5:3>>
      stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.5:3>>
    }) {dimensions = array<i64: 1>} : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:3>>
    func.return %r : tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  }
}
