// clause: reduce: every leaf is converted with its block's parameters
// One block: one scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[18, 0, -11, -18], [20, -14, -14, -18]]> : tensor<2x4xi8>
// args: dense<7> : tensor<i8>
// expect: dense<[-37, -82]> : tensor<2xi32>
// permitted (init value twice; init value first and last): dense<[-17, -62]> : tensor<2xi32>
// permitted (init value before every element): dense<[43, -2]> : tensor<2xi32>
// wrong (rounded toward zero): dense<[-37, -83]> : tensor<2xi32>
// wrong (rounded down): dense<[-37, -84]> : tensor<2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-4, -19]> : tensor<2xi32>
// wrong (init value not converted): dense<[-50, -95]> : tensor<2xi32>
// wrong (converted without zero points): dense<[2, -43]> : tensor<2xi32>
// wrong (largest stored integer, not requantized): dense<[48, 54]> : tensor<2xi32>
// wrong (least stored integer, not requantized): dense<[-60, -60]> : tensor<2xi32>
// wrong (scattered values overwrite each other): dense<[-40, -40]> : tensor<2xi32>
// wrong (scales per block left out): dense<[-170, -320]> : tensor<2xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{0:2}, {{0.3:2}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i32:f32, 0.1>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.1>>, %b: tensor<!quant.uniform<i32:f32, 0.1>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.1>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.1>>
    }) {dimensions = array<i64: 1>} : (tensor<2x4x!quant.uniform<i8:f32:{0:2}, {{0.3:2}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i32:f32, 0.1>>
    func.return %r : tensor<2x!quant.uniform<i32:f32, 0.1>>
  }
}
