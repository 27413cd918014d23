// clause: reduce_window: every leaf is converted with its block's parameters
// Leaves are converted to the body's i8.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[17, 18, -18, 3], [3, -13, -6, -19]]> : tensor<2x4xi8>
// args: dense<2> : tensor<i8>
// expect: dense<[[18, 18, 8]]> : tensor<1x3xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes; blocks twice as long): dense<[[18, 18, 3]]> : tensor<1x3xi8>
// wrong (accumulated exactly and stored once; accumulated in integers, which wrap at 32 bits, as StableHLO's passes): dense<[[15, -3, -3]]> : tensor<1x3xi8>
// wrong (saturated instead of wrapped): dense<[[27, 9, 9]]> : tensor<1x3xi8>
// wrong (least stored integer, not requantized): dense<[[-13, -13, -3]]> : tensor<1x3xi8>
// wrong (scattered values overwrite each other): dense<[[2, 4, 2]]> : tensor<1x3xi8>
// wrong (scales per block left out): dense<[[33, 33, 23]]> : tensor<1x3xi8>
// wrong (scale of the next block; scale of the block before): dense<[[10, 10, 13]]> : tensor<1x3xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[28, 28, 3]]> : tensor<1x3xi8>
// wrong (blocks half as long): dense<[[17, 16, 8]]> : tensor<1x3xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x3x!quant.uniform<i8:f32, 0.5:3>> {
    %r = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<!quant.uniform<i8:f32, 0.5:3>>):
      %s = stablehlo.maximum %a, %b : tensor<!quant.uniform<i8:f32, 0.5:3>>
      stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.5:3>>
    }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x3x!quant.uniform<i8:f32, 0.5:3>>
    func.return %r : tensor<1x3x!quant.uniform<i8:f32, 0.5:3>>
  }
}
