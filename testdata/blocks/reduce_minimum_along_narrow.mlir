// clause: reduce: every leaf is converted with its block's parameters
// Along blocks: leaves of one sum have two scales.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[10, 11, -11, 4], [11, -1, 20, 9], [0, 3, -10, 19]]> : tensor<3x4xi8>
// args: dense<6> : tensor<i8>
// expect: dense<[1, -1, 0]> : tensor<3xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes; blocks twice as long): dense<[-11, -1, -10]> : tensor<3xi8>
// wrong (accumulated exactly and stored once; accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[24, 31, 15]> : tensor<3xi8>
// wrong (saturated instead of wrapped): dense<[36, 43, 27]> : tensor<3xi8>
// wrong (largest stored integer, not requantized): dense<[11, 16, 16]> : tensor<3xi8>
// wrong (scattered values overwrite each other): dense<[6, 6, 6]> : tensor<3xi8>
// wrong (scales per block left out): dense<[-5, -5, -3]> : tensor<3xi8>
// wrong (scale of the next block; scale of the block before): dense<[-1, 1, 0]> : tensor<3xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[-4, 6, -4]> : tensor<3xi8>
// wrong (blocks half as long): dense<[-11, 6, -10]> : tensor<3xi8>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:3>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<!quant.uniform<i8:f32, 0.5:3>>):
      %s = stablehlo.minimum %a, %b : tensor<!quant.uniform<i8:f32, 0.5:3>>
      stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.5:3>>
    }) {dimensions = array<i64: 1>} : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:3>>
    func.return %r : tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  }
}
