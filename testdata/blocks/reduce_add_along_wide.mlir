// clause: reduce: every leaf is converted with its block's parameters
// Along blocks: leaves of one sum have two scales.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[16, -15, 11, -4], [-18, -20, -11, 17], [10, 3, 0, -19]]> : tensor<3x4xi8>
// args: dense<4> : tensor<i8>
// expect: dense<[26, -132, 22]> : tensor<3xi32>
// permitted (init value twice; init value first and last): dense<[30, -128, 26]> : tensor<3xi32>
// permitted (init value before every element): dense<[42, -116, 38]> : tensor<3xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[12, -28, -2]> : tensor<3xi32>
// wrong (largest stored integer, not requantized): dense<[52, 48, 28]> : tensor<3xi32>
// wrong (least stored integer, not requantized): dense<[-72, -92, -24]> : tensor<3xi32>
// wrong (scattered values overwrite each other): dense<[10, 52, -20]> : tensor<3xi32>
// wrong (scales per block left out): dense<[132, -188, 20]> : tensor<3xi32>
// wrong (scale of the next block; scale of the block before): dense<[78, -4, -2]> : tensor<3xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[66, -92, 62]> : tensor<3xi32>
// wrong (blocks half as long): dense<[78, -114, 16]> : tensor<3xi32>
// wrong (blocks twice as long): dense<[-12, -172, -68]> : tensor<3xi32>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {dimensions = array<i64: 1>} : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<3x!quant.uniform<i32:f32, 0.125>>
  }
}
