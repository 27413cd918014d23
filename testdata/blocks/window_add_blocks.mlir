// clause: reduce_window: every leaf is converted with its block's parameters
// Each window is one block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-20, 5, 13, 15], [-12, -6, 14, 3]]> : tensor<2x4xi8>
// args: dense<1> : tensor<i8>
// expect: dense<[[-92, 76], [-104, 54]]> : tensor<2x2xi32>
// permitted (init value twice; init value first and last): dense<[[-100, 68], [-112, 46]]> : tensor<2x2xi32>
// permitted (init value before every element): dense<[[-108, 60], [-120, 38]]> : tensor<2x2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[[-14, 29], [-17, 18]]> : tensor<2x2xi32>
// wrong (init value not converted): dense<[[-83, 85], [-95, 63]]> : tensor<2x2xi32>
// wrong (largest stored integer, not requantized): dense<[[8, 44], [-8, 42]]> : tensor<2x2xi32>
// wrong (least stored integer, not requantized): dense<[[-92, -8], [-60, -8]]> : tensor<2x2xi32>
// wrong (scattered values overwrite each other): dense<[[0, 36], [-44, 12]]> : tensor<2x2xi32>
// wrong (scales per block left out): dense<[[-176, 328], [-200, 240]]> : tensor<2x2xi32>
// wrong (scale of the next block; scale of the block before): dense<[[-50, 160], [-56, 116]]> : tensor<2x2xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-12, 36], [-24, 14]]> : tensor<2x2xi32>
// wrong (blocks half as long): dense<[[-76, 76], [-66, 56]]> : tensor<2x2xi32>
// wrong (blocks twice as long): dense<[[-92, 80], [-104, 36]]> : tensor<2x2xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<2x2x!quant.uniform<i32:f32, 0.125>>
  }
}
