// clause: reduce: every leaf is converted with its block's parameters
// Along blocks: leaves of one sum have two scales.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-15, -8, -3, 8], [11, -9, -19, -19], [14, -13, -4, 17]]> : tensor<3x4xi8>
// args: dense<5> : tensor<i8>
// expect: dense<[-72, -48, -64]> : tensor<3xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-15, -19, -13]> : tensor<3xi32>
// wrong (accumulated exactly and stored once; accumulated in integers, which wrap at 32 bits, as StableHLO's passes; saturated instead of wrapped): dense<[-70, -56, 42]> : tensor<3xi32>
// wrong (largest stored integer, not requantized): dense<[30, 32, 48]> : tensor<3xi32>
// wrong (scattered values overwrite each other): dense<[8, -24, 8]> : tensor<3xi32>
// wrong (scales per block left out): dense<[-144, -96, -128]> : tensor<3xi32>
// wrong (scale of the next block; scale of the block before): dense<[-36, -48, -32]> : tensor<3xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[-32, -44, -24]> : tensor<3xi32>
// wrong (blocks half as long): dense<[-72, -88, -28]> : tensor<3xi32>
// wrong (blocks twice as long): dense<[-72, -88, -64]> : tensor<3xi32>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.minimum %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {dimensions = array<i64: 1>} : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<3x!quant.uniform<i32:f32, 0.125>>
  }
}
