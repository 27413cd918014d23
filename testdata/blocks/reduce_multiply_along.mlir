// clause: reduce: every leaf is converted with its block's parameters
// A product of leaves with two scales.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[5, 6, 1, 6], [2, 3, 3, 1]]> : tensor<2x4xi8>
// args: dense<0> : tensor<i8>
// expect: dense<[-68, -7]> : tensor<2xi32>
// permitted (init value last): dense<[-68, -6]> : tensor<2xi32>
// permitted (init value twice; init value first and last): dense<[102, 10]> : tensor<2xi32>
// permitted (init value before every element): dense<[-342, -34]> : tensor<2xi32>
// wrong (rounded toward zero): dense<[-67, -6]> : tensor<2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes; init value not converted): dense<[0, 0]> : tensor<2xi32>
// wrong (accumulated exactly and stored once; accumulated in integers, which wrap at 32 bits, as StableHLO's passes; saturated instead of wrapped): dense<[92, 32]> : tensor<2xi32>
// wrong (largest stored integer, not requantized): dense<[48, 24]> : tensor<2xi32>
// wrong (least stored integer, not requantized): dense<[-24, -24]> : tensor<2xi32>
// wrong (scattered values overwrite each other): dense<[-36, -6]> : tensor<2xi32>
// wrong (scales per block left out): dense<[-4320, -432]> : tensor<2xi32>
// wrong (scale of the next block; scale of the block before): dense<[-66, -7]> : tensor<2xi32>
// wrong (blocks twice as long): dense<[-270, -27]> : tensor<2xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i32:f32, 0.0625>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.0625>>, %b: tensor<!quant.uniform<i32:f32, 0.0625>>):
      %s = stablehlo.multiply %a, %b : tensor<!quant.uniform<i32:f32, 0.0625>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.0625>>
    }) {dimensions = array<i64: 1>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i32:f32, 0.0625>>
    func.return %r : tensor<2x!quant.uniform<i32:f32, 0.0625>>
  }
}
