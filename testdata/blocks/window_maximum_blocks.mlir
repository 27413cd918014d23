// clause: reduce_window: every leaf is converted with its block's parameters
// Each window is one block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-16, 16, -17, -10], [8, -13, -13, -9]]> : tensor<2x4xi8>
// args: dense<-3> : tensor<i8>
// expect: dense<[[52, -6], [20, -4]]> : tensor<2x2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[[16, -3], [8, -3]]> : tensor<2x2xi32>
// wrong (init value not converted): dense<[[52, -3], [20, -3]]> : tensor<2x2xi32>
// wrong (accumulated exactly and stored once; accumulated in integers, which wrap at 32 bits, as StableHLO's passes; saturated instead of wrapped): dense<[[-48, -50], [-68, -40]]> : tensor<2x2xi32>
// wrong (least stored integer, not requantized): dense<[[-76, -24], [-64, -24]]> : tensor<2x2xi32>
// wrong (scattered values overwrite each other): dense<[[52, -6], [-24, -4]]> : tensor<2x2xi32>
// wrong (scales per block left out): dense<[[104, -24], [40, -16]]> : tensor<2x2xi32>
// wrong (scale of the next block; scale of the block before): dense<[[26, -12], [10, -8]]> : tensor<2x2xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[[92, -24], [60, -24]]> : tensor<2x2xi32>
// wrong (blocks half as long): dense<[[46, -6], [20, -4]]> : tensor<2x2xi32>
// wrong (blocks twice as long): dense<[[52, -24], [20, -24]]> : tensor<2x2xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.maximum %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<2x2x!quant.uniform<i32:f32, 0.125>>
  }
}
