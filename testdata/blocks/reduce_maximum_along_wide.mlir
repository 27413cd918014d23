// clause: reduce: every leaf is converted with its block's parameters
// Along blocks: leaves of one sum have two scales.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[2, 17, -13, -15], [12, 13, -8, -13], [18, -3, -1, -8]]> : tensor<3x4xi8>
// args: dense<6> : tensor<i8>
// expect: dense<[56, 40, 60]> : tensor<3xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[17, 13, 18]> : tensor<3xi32>
// wrong (accumulated exactly and stored once; accumulated in integers, which wrap at 32 bits, as StableHLO's passes; saturated instead of wrapped): dense<[36, 74, 58]> : tensor<3xi32>
// wrong (least stored integer, not requantized): dense<[-16, -12, -24]> : tensor<3xi32>
// wrong (scattered values overwrite each other): dense<[12, 12, 12]> : tensor<3xi32>
// wrong (scales per block left out): dense<[112, 80, 120]> : tensor<3xi32>
// wrong (scale of the next block; scale of the block before): dense<[28, 20, 30]> : tensor<3xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[96, 80, 100]> : tensor<3xi32>
// wrong (blocks half as long): dense<[48, 40, 60]> : tensor<3xi32>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.maximum %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {dimensions = array<i64: 1>} : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<3x!quant.uniform<i32:f32, 0.125>>
  }
}
