// clause: reduce: every leaf is converted with its block's parameters
// Across blocks: the leaves of each sum have one scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[3, 11, -8, 12], [16, 12, -19, 20], [3, -5, 18, 7]]> : tensor<3x4xi8>
// args: dense<4> : tensor<i8>
// expect: dense<[17, 13, 10, 33]> : tensor<4xi8>
// permitted (init value twice; init value first and last): dense<[18, 14, 11, 34]> : tensor<4xi8>
// permitted (init value before every element): dense<[20, 16, 13, 36]> : tensor<4xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes; blocks twice as long): dense<[17, 13, -14, 34]> : tensor<4xi8>
// wrong (saturated instead of wrapped): dense<[26, 22, 19, 42]> : tensor<4xi8>
// wrong (largest stored integer, not requantized): dense<[16, 12, 16, 16]> : tensor<4xi8>
// wrong (least stored integer, not requantized): dense<[3, -5, -3, 4]> : tensor<4xi8>
// wrong (scattered values overwrite each other): dense<[4, -4, 17, 11]> : tensor<4xi8>
// wrong (scales per block left out): dense<[30, 22, 28, 124]> : tensor<4xi8>
// wrong (scale of the next block; scale of the block before): dense<[11, 9, 16, 64]> : tensor<4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[47, 43, -5, 20]> : tensor<4xi8>
// wrong (blocks half as long): dense<[17, 23, -14, 33]> : tensor<4xi8>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<!quant.uniform<i8:f32, 0.5:3>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:3>>
      stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.5:3>>
    }) {dimensions = array<i64: 0>} : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
    func.return %r : tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  }
}
