// clause: reduce_window: every leaf is converted with its block's parameters
// Windows at the edges meet the init value.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-7, -3, 17, -20], [-4, 13, 1, 13]]> : tensor<2x4xi8>
// args: dense<-2> : tensor<i8>
// expect: dense<[[-20, -20, 48, 48, -20], [-20, 40, 40, 40, 40]]> : tensor<2x5xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[[-2, -2, 17, 17, -2], [-2, 13, 13, 13, 13]]> : tensor<2x5xi32>
// wrong (init value not converted): dense<[[-2, -2, 48, 48, -2], [-2, 40, 40, 40, 40]]> : tensor<2x5xi32>
// wrong (accumulated exactly and stored once; accumulated in integers, which wrap at 32 bits, as StableHLO's passes; saturated instead of wrapped): dense<[[-80, -84, 4, 2, -66], [-68, -8, 36, 36, 0]]> : tensor<2x5xi32>
// wrong (least stored integer, not requantized): dense<[[-40, -40, -24, -26, -26], [-28, -28, -20, -20, -20]]> : tensor<2x5xi32>
// wrong (scattered values overwrite each other): dense<[[-20, -20, 48, -20, -20], [-20, 40, 16, 40, -20]]> : tensor<2x5xi32>
// wrong (padding with stored zeros): dense<[[0, -20, 48, 48, 0], [0, 40, 40, 40, 40]]> : tensor<2x5xi32>
// wrong (scales per block left out): dense<[[-20, -20, 192, 192, -20], [-20, 80, 80, 160, 160]]> : tensor<2x5xi32>
// wrong (scale of the next block; scale of the block before): dense<[[-20, -12, 96, 96, -20], [-14, 20, 32, 80, 80]]> : tensor<2x5xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[[0, 16, 28, 28, -20], [12, 80, 80, 20, 20]]> : tensor<2x5xi32>
// wrong (blocks half as long): dense<[[-20, 8, 56, 56, -20], [-20, 40, 40, 40, 40]]> : tensor<2x5xi32>
// wrong (blocks twice as long): dense<[[-20, -20, 56, 56, -20], [-20, 40, 40, 40, 40]]> : tensor<2x5xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x5x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.maximum %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x5x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<2x5x!quant.uniform<i32:f32, 0.125>>
  }
}
