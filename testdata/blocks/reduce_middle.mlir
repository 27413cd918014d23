// clause: reduce: every leaf is converted with its block's parameters
// The middle dimension of three, with blocks along it.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[-7, 7, 1], [-16, -10, -13], [5, 15, -12], [9, 11, 20]], [[-16, -12, -16], [2, 13, -19], [-9, 13, -11], [-9, -2, -11]]]> : tensor<2x4x3xi8>
// args: dense<6> : tensor<i8>
// expect: dense<[[-48, 56, -16], [-76, 42, -168]]> : tensor<2x3xi32>
// permitted (init value twice; init value first and last): dense<[[-36, 68, -4], [-64, 54, -156]]> : tensor<2x3xi32>
// permitted (init value before every element): dense<[[0, 104, 32], [-28, 90, -120]]> : tensor<2x3xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[[-3, 29, 2], [-26, 18, -51]]> : tensor<2x3xi32>
// wrong (init value not converted): dense<[[-54, 50, -22], [-82, 36, -174]]> : tensor<2x3xi32>
// wrong (largest stored integer, not requantized): dense<[[32, 44, 54], [12, 40, 12]]> : tensor<2x3xi32>
// wrong (least stored integer, not requantized): dense<[[-76, -52, -64], [-76, -60, -88]]> : tensor<2x3xi32>
// wrong (scattered values overwrite each other): dense<[[44, 48, 66], [8, 22, 4]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[4, 260, 44], [-180, 172, -380]]> : tensor<2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[66, 154, 64], [-44, 102, -102]]> : tensor<2x3xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-8, 96, 24], [-36, 82, -128]]> : tensor<2x3xi32>
// wrong (blocks half as long): dense<[[-6, 106, -14], [-98, 42, -152]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[-72, 56, -52], [-164, 12, -264]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x3x!quant.uniform<i8:f32:{1:2}, {{{0.5:3}, {0.25:-7}}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {dimensions = array<i64: 1>} : (tensor<2x4x3x!quant.uniform<i8:f32:{1:2}, {{{0.5:3}, {0.25:-7}}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.125>>
  }
}
