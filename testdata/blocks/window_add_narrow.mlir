// clause: reduce_window: every leaf is converted with its block's parameters
// Leaves are converted to the body's i8.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-17, 14, -6, 6], [-6, 16, -2, -15]]> : tensor<2x4xi8>
// args: dense<4> : tensor<i8>
// expect: dense<[[-1, 32, 11]]> : tensor<1x3xi8>
// permitted (init value twice; init value first and last): dense<[[0, 33, 12]]> : tensor<1x3xi8>
// permitted (init value before every element): dense<[[3, 36, 15]]> : tensor<1x3xi8>
// wrong (zero point added after rounding, as ONNX; rounded toward zero; rounded down): dense<[[-1, 30, 8]]> : tensor<1x3xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes; blocks twice as long): dense<[[-1, 14, -25]]> : tensor<1x3xi8>
// wrong (saturated instead of wrapped): dense<[[11, 44, 23]]> : tensor<1x3xi8>
// wrong (largest stored integer, not requantized): dense<[[16, 16, 10]]> : tensor<1x3xi8>
// wrong (least stored integer, not requantized): dense<[[-17, 4, -1]]> : tensor<1x3xi8>
// wrong (scattered values overwrite each other): dense<[[17, 7, 0]]> : tensor<1x3xi8>
// wrong (scales per block left out): dense<[[-6, 64, 26]]> : tensor<1x3xi8>
// wrong (scale of the next block; scale of the block before): dense<[[1, 22, 15]]> : tensor<1x3xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[39, 40, -12]]> : tensor<1x3xi8>
// wrong (blocks half as long): dense<[[-3, 12, -7]]> : tensor<1x3xi8>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x3x!quant.uniform<i8:f32, 0.5:3>> {
    %r = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<!quant.uniform<i8:f32, 0.5:3>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:3>>
      stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.5:3>>
    }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x3x!quant.uniform<i8:f32, 0.5:3>>
    func.return %r : tensor<1x3x!quant.uniform<i8:f32, 0.5:3>>
  }
}
