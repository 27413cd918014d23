// clause: reduce: every leaf is converted with its block's parameters
// Scales that no f32 holds exactly: every leaf is rounded to the body's scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[9, -16, 20, -19], [15, -12, 19, -15]]> : tensor<2x4xi8>
// args: dense<2> : tensor<i8>
// expect: dense<[-50, 260]> : tensor<2xi32>
// permitted (init value twice; init value first and last): dense<[-100, 210]> : tensor<2xi32>
// permitted (init value before every element): dense<[-250, 60]> : tensor<2xi32>
// wrong (rounded toward zero): dense<[-48, 260]> : tensor<2xi32>
// wrong (rounded down): dense<[-50, 259]> : tensor<2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-4, 9]> : tensor<2xi32>
// wrong (init value not converted): dense<[2, 312]> : tensor<2xi32>
// wrong (largest stored integer, not requantized): dense<[1400, 1330]> : tensor<2xi32>
// wrong (least stored integer, not requantized): dense<[-1330, -1050]> : tensor<2xi32>
// wrong (scattered values overwrite each other): dense<[-1380, -1100]> : tensor<2xi32>
// wrong (scales per block left out): dense<[-650, 650]> : tensor<2xi32>
// wrong (scale of the next block; scale of the block before): dense<[-530, 200]> : tensor<2xi32>
// wrong (blocks half as long): dense<[-2210, -1600]> : tensor<2xi32>
// wrong (blocks twice as long): dense<[-110, 20]> : tensor<2xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.1, 0.7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i32:f32, 0.01>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.01>>, %b: tensor<!quant.uniform<i32:f32, 0.01>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.01>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.01>>
    }) {dimensions = array<i64: 1>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.1, 0.7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i32:f32, 0.01>>
    func.return %r : tensor<2x!quant.uniform<i32:f32, 0.01>>
  }
}
