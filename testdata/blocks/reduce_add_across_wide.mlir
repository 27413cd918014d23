// clause: reduce: every leaf is converted with its block's parameters
// Across blocks: the leaves of each sum have one scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[11, -8, 6, 14], [14, -14, -8, 16], [15, -4, 19, -15]]> : tensor<3x4xi8>
// args: dense<6> : tensor<i8>
// expect: dense<[136, -128, 88, 84]> : tensor<4xi32>
// permitted (init value twice; init value first and last): dense<[148, -116, 100, 96]> : tensor<4xi32>
// permitted (init value before every element): dense<[172, -92, 124, 120]> : tensor<4xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[46, -20, 23, 21]> : tensor<4xi32>
// wrong (init value not converted): dense<[130, -134, 82, 78]> : tensor<4xi32>
// wrong (largest stored integer, not requantized): dense<[48, 12, 52, 46]> : tensor<4xi32>
// wrong (least stored integer, not requantized): dense<[12, -68, -2, -16]> : tensor<4xi32>
// wrong (scattered values overwrite each other): dense<[60, -16, 64, -4]> : tensor<4xi32>
// wrong (scales per block left out): dense<[260, -268, 316, 300]> : tensor<4xi32>
// wrong (scale of the next block; scale of the block before): dense<[74, -58, 164, 156]> : tensor<4xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[256, -8, 28, 24]> : tensor<4xi32>
// wrong (blocks half as long): dense<[136, 2, 44, 84]> : tensor<4xi32>
// wrong (blocks twice as long): dense<[136, -128, 44, 36]> : tensor<4xi32>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {dimensions = array<i64: 0>} : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<4x!quant.uniform<i32:f32, 0.125>>
  }
}
