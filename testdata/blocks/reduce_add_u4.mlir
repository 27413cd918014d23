// clause: reduce: every leaf is converted with its block's parameters
// Weights of u4 with a zero point for each block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[14, 8], [15, 2], [9, 11], [9, 11]]> : tensor<4x2xui4>
// args: dense<0> : tensor<ui4>
// expect: dense<[328, -68]> : tensor<2xi32>
// permitted (init value twice; init value first and last): dense<[316, -80]> : tensor<2xi32>
// permitted (init value before every element): dense<[280, -116]> : tensor<2xi32>
// wrong (unsigned storage read as signed, as StableHLO's passes; unsigned storage read and saturated as signed): dense<[-312, -292]> : tensor<2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[47, 32]> : tensor<2xi32>
// wrong (largest stored integer, not requantized): dense<[144, 2]> : tensor<2xi32>
// wrong (least stored integer, not requantized): dense<[-12, -24]> : tensor<2xi32>
// wrong (scattered values overwrite each other): dense<[132, -36]> : tensor<2xi32>
// wrong (scales per block left out): dense<[236, -108]> : tensor<2xi32>
// wrong (scale of the next block; scale of the block before): dense<[268, -52]> : tensor<2xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[136, -4]> : tensor<2xi32>
// wrong (blocks half as long): dense<[400, -104]> : tensor<2xi32>
// wrong (blocks twice as long): dense<[48, -4]> : tensor<2xi32>
module {
  func.func @main(%arg0: tensor<4x2x!quant.uniform<u4:f32:{0:2, 1:1}, {{0.5:8, 0.25:7}, {2.0, 0.75:15}}>>, %arg1: tensor<!quant.uniform<u4:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {dimensions = array<i64: 0>} : (tensor<4x2x!quant.uniform<u4:f32:{0:2, 1:1}, {{0.5:8, 0.25:7}, {2.0, 0.75:15}}>>, tensor<!quant.uniform<u4:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<2x!quant.uniform<i32:f32, 0.125>>
  }
}
