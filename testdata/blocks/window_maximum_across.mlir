// clause: reduce_window: every leaf is converted with its block's parameters
// The middle window has leaves of two blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-19, 7, -2, -4], [8, -6, -8, 14]]> : tensor<2x4xi8>
// args: dense<7> : tensor<i8>
// expect: dense<[[16, 16, 16], [20, 16, 42]]> : tensor<2x3xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[[7, 7, 7], [8, 7, 14]]> : tensor<2x3xi32>
// wrong (init value not converted): dense<[[16, 16, 10], [20, 7, 42]]> : tensor<2x3xi32>
// wrong (accumulated exactly and stored once; accumulated in integers, which wrap at 32 bits, as StableHLO's passes; saturated instead of wrapped): dense<[[-56, 42, 32], [0, -22, 56]]> : tensor<2x3xi32>
// wrong (least stored integer, not requantized): dense<[[-88, 10, 6], [-36, -36, -2]]> : tensor<2x3xi32>
// wrong (scattered values overwrite each other): dense<[[16, 16, 16], [16, 16, 42]]> : tensor<2x3xi32>
// wrong (scales per block left out): dense<[[32, 40, 40], [40, 16, 168]]> : tensor<2x3xi32>
// wrong (scale of the next block; scale of the block before): dense<[[16, 20, 20], [16, 16, 84]]> : tensor<2x3xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[[56, 56, 16], [60, 16, 22]]> : tensor<2x3xi32>
// wrong (blocks half as long): dense<[[28, 28, 16], [20, 16, 42]]> : tensor<2x3xi32>
// wrong (blocks twice as long): dense<[[16, 16, 16], [20, 16, 44]]> : tensor<2x3xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.maximum %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<2x3x!quant.uniform<i32:f32, 0.125>>
  }
}
