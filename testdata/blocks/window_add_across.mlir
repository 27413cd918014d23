// clause: reduce_window: every leaf is converted with its block's parameters
// The middle window has leaves of two blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-9, -11, -10, 20], [-12, 4, -16, -17]]> : tensor<2x4xi8>
// args: dense<-3> : tensor<i8>
// expect: dense<[[-128, -86, 24], [-80, -38, -62]]> : tensor<2x3xi32>
// permitted (init value twice; init value first and last): dense<[[-152, -110, 0], [-104, -62, -86]]> : tensor<2x3xi32>
// permitted (init value before every element): dense<[[-176, -134, -24], [-128, -86, -110]]> : tensor<2x3xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[[-23, -24, 7], [-11, -15, -36]]> : tensor<2x3xi32>
// wrong (init value not converted): dense<[[-107, -65, 45], [-59, -17, -41]]> : tensor<2x3xi32>
// wrong (largest stored integer, not requantized): dense<[[-24, -6, 54], [4, 4, -18]]> : tensor<2x3xi32>
// wrong (least stored integer, not requantized): dense<[[-56, -56, -24], [-60, -24, -24]]> : tensor<2x3xi32>
// wrong (scattered values overwrite each other): dense<[[-80, -30, 30], [-20, -42, -44]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[-232, -160, 168], [-136, -88, -176]]> : tensor<2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[-76, -64, 72], [-52, -58, -100]]> : tensor<2x3xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-48, -66, -16], [0, -18, -102]]> : tensor<2x3xi32>
// wrong (blocks half as long): dense<[[-80, -84, -22], [-62, -78, -120]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[-128, -132, -8], [-80, -96, -180]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.125>>
  }
}
