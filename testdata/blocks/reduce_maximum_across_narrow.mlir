// clause: reduce: every leaf is converted with its block's parameters
// Across blocks: the leaves of each sum have one scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[8, -5, -15, 18], [8, 8, 4, -16], [13, 7, 10, -1]]> : tensor<3x4xi8>
// args: dense<6> : tensor<i8>
// expect: dense<[13, 8, 12, 16]> : tensor<4xi8>
// wrong (zero point added after rounding, as ONNX; rounded toward zero; rounded down): dense<[13, 8, 11, 15]> : tensor<4xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes; blocks twice as long): dense<[13, 8, 10, 18]> : tensor<4xi8>
// wrong (accumulated exactly and stored once; accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[26, 7, 16, 17]> : tensor<4xi8>
// wrong (saturated instead of wrapped): dense<[35, 16, 25, 26]> : tensor<4xi8>
// wrong (least stored integer, not requantized): dense<[6, -5, -1, -2]> : tensor<4xi8>
// wrong (scattered values overwrite each other): dense<[13, 7, 12, 6]> : tensor<4xi8>
// wrong (scales per block left out): dense<[23, 13, 37, 53]> : tensor<4xi8>
// wrong (scale of the next block; scale of the block before): dense<[8, 6, 20, 28]> : tensor<4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[23, 18, 6, 10]> : tensor<4xi8>
// wrong (blocks half as long): dense<[13, 10, 10, 16]> : tensor<4xi8>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<!quant.uniform<i8:f32, 0.5:3>>):
      %s = stablehlo.maximum %a, %b : tensor<!quant.uniform<i8:f32, 0.5:3>>
      stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.5:3>>
    }) {dimensions = array<i64: 0>} : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
    func.return %r : tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  }
}
