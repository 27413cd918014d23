// clause: reduce_window: every leaf is converted with its block's parameters
// Windows at the edges meet the init value.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-18, 10, -17, -13], [14, -14, 3, 18]]> : tensor<2x4xi8>
// args: dense<-3> : tensor<i8>
// expect: dense<[[-132, -80, -16, -56, -60], [-4, -48, -72, 46, 2]]> : tensor<2x5xi32>
// permitted (init value twice; init value first and last): dense<[[-156, -104, -40, -80, -84], [-28, -72, -96, 22, -22]]> : tensor<2x5xi32>
// permitted (init value before every element): dense<[[-180, -128, -64, -104, -108], [-52, -96, -120, -2, -46]]> : tensor<2x5xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[[-24, -11, -10, -33, -19], [8, -3, -14, 18, 12]]> : tensor<2x5xi32>
// wrong (init value not converted): dense<[[-90, -59, 5, -35, -18], [38, -27, -51, 67, 44]]> : tensor<2x5xi32>
// wrong (largest stored integer, not requantized): dense<[[-24, 28, 28, -12, -12], [44, 44, 20, 50, 50]]> : tensor<2x5xi32>
// wrong (least stored integer, not requantized): dense<[[-84, -84, -24, -24, -24], [-24, -68, -68, -24, -24]]> : tensor<2x5xi32>
// wrong (scattered values overwrite each other): dense<[[-108, 4, -44, -36, -48], [20, -92, -4, 26, -48]]> : tensor<2x5xi32>
// wrong (scales per block left out): dense<[[-216, -136, -48, -152, -96], [40, -72, -80, 256, 152]]> : tensor<2x5xi32>
// wrong (scale of the next block; scale of the block before): dense<[[-90, -52, -50, -88, -72], [-26, -36, -18, 116, 52]]> : tensor<2x5xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[[-92, 0, 4, -96, -80], [36, 32, -52, 6, -18]]> : tensor<2x5xi32>
// wrong (blocks half as long): dense<[[-132, -74, -70, -116, -60], [-4, 6, -38, 26, 2]]> : tensor<2x5xi32>
// wrong (blocks twice as long): dense<[[-132, -80, -76, -168, -112], [-4, -48, -92, 36, 12]]> : tensor<2x5xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x5x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce_window"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>} : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x5x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<2x5x!quant.uniform<i32:f32, 0.125>>
  }
}
