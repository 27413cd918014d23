// clause: reduce: every leaf is converted with its block's parameters
// Along blocks: leaves of one sum have two scales.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[1, -15, 3, 6], [-4, 8, -14, -8], [20, -2, -14, -18]]> : tensor<3x4xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[-5, -3, 7]> : tensor<3xi8>
// wrong (zero point added after rounding, as ONNX): dense<[-6, -3, 5]> : tensor<3xi8>
// wrong (ties rounded away from zero): dense<[-5, -3, 5]> : tensor<3xi8>
// wrong (rounded toward zero): dense<[-6, -3, 7]> : tensor<3xi8>
// wrong (rounded down): dense<[-6, -4, 5]> : tensor<3xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes; blocks twice as long): dense<[-14, -27, -23]> : tensor<3xi8>
// wrong (saturated instead of wrapped): dense<[7, 9, 19]> : tensor<3xi8>
// wrong (largest stored integer, not requantized): dense<[10, 8, 20]> : tensor<3xi8>
// wrong (least stored integer, not requantized): dense<[-15, -4, -2]> : tensor<3xi8>
// wrong (scattered values overwrite each other): dense<[10, 2, -2]> : tensor<3xi8>
// wrong (scales per block left out): dense<[9, -17, -9]> : tensor<3xi8>
// wrong (scale of the next block; scale of the block before): dense<[16, -5, -9]> : tensor<3xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[4, 7, 15]> : tensor<3xi8>
// wrong (blocks half as long): dense<[4, -15, 1]> : tensor<3xi8>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:3>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<!quant.uniform<i8:f32, 0.5:3>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:3>>
      stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.5:3>>
    }) {dimensions = array<i64: 1>} : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:3>>
    func.return %r : tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  }
}
