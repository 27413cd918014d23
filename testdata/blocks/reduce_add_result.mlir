// clause: reduce: every leaf is converted with its block's parameters
// The result has another scale than the body (E14).
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// mode: mlir
// args: dense<[[-15, 12, -3, -3], [-3, 10, 7, 8], [3, -18, -15, -5]]> : tensor<3x4xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[-4, 16, -23]> : tensor<3xi32>
// wrong (zero point added after rounding, as ONNX; ties rounded away from zero): dense<[-4, 17, -23]> : tensor<3xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-6, 25, -32]> : tensor<3xi32>
// wrong (init value not converted): dense<[-3, 17, -22]> : tensor<3xi32>
// wrong (largest stored integer, not requantized): dense<[10, 8, 2]> : tensor<3xi32>
// wrong (least stored integer, not requantized): dense<[-17, -5, -20]> : tensor<3xi32>
// wrong (scattered values overwrite each other): dense<[3, 8, 2]> : tensor<3xi32>
// wrong (scales per block left out): dense<[-1, 61, -53]> : tensor<3xi32>
// wrong (scale of the next block; scale of the block before): dense<[4, 30, -16]> : tensor<3xi32>
// wrong (zero point of the next block; zero point of the block before): dense<[6, 26, -13]> : tensor<3xi32>
// wrong (blocks half as long): dense<[-12, 15, -22]> : tensor<3xi32>
// wrong (blocks twice as long): dense<[-20, 11, -46]> : tensor<3xi32>
module {
  func.func @main(%arg0: tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i32:f32, 0.5:1>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {dimensions = array<i64: 1>} : (tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x!quant.uniform<i32:f32, 0.5:1>>
    func.return %r : tensor<3x!quant.uniform<i32:f32, 0.5:1>>
  }
}
