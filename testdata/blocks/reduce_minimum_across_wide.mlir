// clause: reduce: every leaf is converted with its block's parameters
// Across blocks: the leaves of each sum have one scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-8, -4, 12, 8], [1, 13, -4, 6], [6, 19, 11, -3]]> : tensor<3x4xi8>
// args: dense<7> : tensor<i8>
// expect: dense<[-44, -28, 6, 8]> : tensor<4xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-8, -4, -4, -3]> : tensor<4xi32>
// wrong (init value not converted): dense<[-44, -28, 6, 7]> : tensor<4xi32>
// wrong (accumulated exactly and stored once; accumulated in integers, which wrap at 32 bits, as StableHLO's passes; saturated instead of wrapped): dense<[-24, 92, 96, 80]> : tensor<4xi32>
// wrong (largest stored integer, not requantized): dense<[16, 64, 38, 30]> : tensor<4xi32>
// wrong (scattered values overwrite each other): dense<[12, 16, 16, 8]> : tensor<4xi32>
// wrong (scales per block left out): dense<[-88, -56, 16, 16]> : tensor<4xi32>
// wrong (scale of the next block; scale of the block before): dense<[-22, -14, 12, 16]> : tensor<4xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[-4, 12, -14, -12]> : tensor<4xi32>
// wrong (blocks half as long): dense<[-44, 6, -28, 8]> : tensor<4xi32>
// wrong (blocks twice as long): dense<[-44, -28, -28, -24]> : tensor<4xi32>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.minimum %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {dimensions = array<i64: 0>} : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<4x!quant.uniform<i32:f32, 0.125>>
  }
}
