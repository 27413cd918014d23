// clause: reduce: every leaf is converted with its block's parameters
// Two dimensions, blocks along one.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[[-6, -6], [16, -12], [6, -10], [0, -5]], [[15, 16], [-20, 16], [4, -8], [0, 4]]]> : tensor<2x4x2xi8>
// args: dense<7> : tensor<i8>
// expect: dense<[-208, 4]> : tensor<2xi32>
// permitted (init value twice; init value first and last): dense<[-192, 20]> : tensor<2xi32>
// permitted (init value before every element): dense<[-80, 132]> : tensor<2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-10, 34]> : tensor<2xi32>
// wrong (init value not converted): dense<[-217, -5]> : tensor<2xi32>
// wrong (largest stored integer, not requantized): dense<[64, 64]> : tensor<2xi32>
// wrong (least stored integer, not requantized): dense<[-160, -128]> : tensor<2xi32>
// wrong (scattered values overwrite each other): dense<[-64, 80]> : tensor<2xi32>
// wrong (scales per block left out): dense<[-120, 232]> : tensor<2xi32>
// wrong (scale of the next block; scale of the block before): dense<[-258, 526]> : tensor<2xi32>
// wrong (blocks half as long): dense<[-256, 388]> : tensor<2xi32>
// wrong (blocks twice as long): dense<[14, 68]> : tensor<2xi32>
module {
  func.func @main(%arg0: tensor<2x4x2x!quant.uniform<i8:f32:{1:2, 2:1}, {{{0.5, 0.25}, {0.25, 2.0}}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {dimensions = array<i64: 1, 2>} : (tensor<2x4x2x!quant.uniform<i8:f32:{1:2, 2:1}, {{{0.5, 0.25}, {0.25, 2.0}}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<2x!quant.uniform<i32:f32, 0.125>>
  }
}
