// clause: reduce: every leaf is converted with its block's parameters
// The second block saturates on conversion to the body's type.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[7, 103, 127, -118], [-58, -32, 97, 117]]> : tensor<2x4xi8>
// args: dense<7> : tensor<i8>
// expect: dense<[-4, 127]> : tensor<2xi8>
// permitted (init value last; init value first and last): dense<[0, 127]> : tensor<2xi8>
// wrong (wrapped instead of saturated): dense<[-67, 93]> : tensor<2xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[6, 119]> : tensor<2xi8>
// wrong (saturated instead of wrapped): dense<[-1, 127]> : tensor<2xi8>
// wrong (least stored integer, not requantized): dense<[-128, -55]> : tensor<2xi8>
// wrong (scattered values overwrite each other): dense<[-124, 127]> : tensor<2xi8>
// wrong (scales per block left out): dense<[-4, 120]> : tensor<2xi8>
// wrong (scale of the next block; scale of the block before): dense<[9, 86]> : tensor<2xi8>
// wrong (blocks twice as long): dense<[9, 127]> : tensor<2xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 4.0}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<!quant.uniform<i8:f32, 0.5:3>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:3>>
      stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.5:3>>
    }) {dimensions = array<i64: 1>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 4.0}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
    func.return %r : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  }
}
