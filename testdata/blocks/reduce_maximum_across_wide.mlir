// clause: reduce: every leaf is converted with its block's parameters
// Across blocks: the leaves of each sum have one scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[10, -6, -12, 18], [-7, 13, -20, -8], [-10, -19, 1, 15]]> : tensor<3x4xi8>
// args: dense<4> : tensor<i8>
// expect: dense<[28, 40, 16, 50]> : tensor<4xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[10, 13, 4, 18]> : tensor<4xi32>
// wrong (accumulated exactly and stored once; accumulated in integers, which wrap at 32 bits, as StableHLO's passes; saturated instead of wrapped): dense<[-60, -80, -16, 96]> : tensor<4xi32>
// wrong (least stored integer, not requantized): dense<[-52, -88, -26, -2]> : tensor<4xi32>
// wrong (scattered values overwrite each other): dense<[4, 4, 16, 44]> : tensor<4xi32>
// wrong (scales per block left out): dense<[56, 80, 64, 200]> : tensor<4xi32>
// wrong (scale of the next block; scale of the block before): dense<[14, 20, 32, 100]> : tensor<4xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[68, 80, 4, 30]> : tensor<4xi32>
// wrong (blocks half as long): dense<[28, 40, 4, 50]> : tensor<4xi32>
// wrong (blocks twice as long): dense<[28, 40, 4, 60]> : tensor<4xi32>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.maximum %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {dimensions = array<i64: 0>} : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<4x!quant.uniform<i32:f32, 0.125>>
  }
}
