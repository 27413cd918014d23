// clause: reduce: every leaf is converted with its block's parameters
// Across blocks: the leaves of each sum have one scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[18, -3, 0, 5], [11, -10, -2, 15], [-20, 19, 8, -17]]> : tensor<3x4xi8>
// args: dense<2> : tensor<i8>
// expect: dense<[-20, -10, 2, -2]> : tensor<4xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes; blocks twice as long): dense<[-20, -10, -2, -17]> : tensor<4xi8>
// wrong (accumulated exactly and stored once; accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[2, -1, 15, 14]> : tensor<4xi8>
// wrong (saturated instead of wrapped): dense<[11, 8, 24, 23]> : tensor<4xi8>
// wrong (largest stored integer, not requantized): dense<[18, 19, 10, 14]> : tensor<4xi8>
// wrong (scattered values overwrite each other): dense<[-20, 2, 2, -2]> : tensor<4xi8>
// wrong (scales per block left out): dense<[-43, -23, 2, -17]> : tensor<4xi8>
// wrong (scale of the next block; scale of the block before): dense<[-8, -4, 2, -7]> : tensor<4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[-10, 0, 0, -7]> : tensor<4xi8>
// wrong (blocks half as long): dense<[-20, 2, -2, -2]> : tensor<4xi8>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<!quant.uniform<i8:f32, 0.5:3>>):
      %s = stablehlo.minimum %a, %b : tensor<!quant.uniform<i8:f32, 0.5:3>>
      stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.5:3>>
    }) {dimensions = array<i64: 0>} : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
    func.return %r : tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  }
}
