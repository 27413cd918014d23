// clause: reduce: every leaf is converted with its block's parameters
// Every leaf has its own scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-16, 10, -6, -14], [3, 3, -11, 20]]> : tensor<2x4xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[-252, -246]> : tensor<2xi32>
// wrong (rounded toward zero; rounded down): dense<[-252, -247]> : tensor<2xi32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[-23, 18]> : tensor<2xi32>
// wrong (init value not converted): dense<[-249, -243]> : tensor<2xi32>
// wrong (largest stored integer, not requantized): dense<[34, 10]> : tensor<2xi32>
// wrong (least stored integer, not requantized): dense<[-114, -264]> : tensor<2xi32>
// wrong (scattered values overwrite each other): dense<[-114, 8]> : tensor<2xi32>
// wrong (scales per block left out): dense<[-216, 112]> : tensor<2xi32>
// wrong (scale of the next block): dense<[122, 414]> : tensor<2xi32>
// wrong (scale of the block before): dense<[-362, 469]> : tensor<2xi32>
// wrong (zero point of the next block): dense<[-294, -253]> : tensor<2xi32>
// wrong (zero point of the block before): dense<[-138, -110]> : tensor<2xi32>
// wrong (blocks twice as long): dense<[-60, 23]> : tensor<2xi32>
module {
  func.func @main(%arg0: tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5:3, 0.25:-7, 2.0, 0.75:5}, {1.5:3, 0.125:-7, 3.0, 0.0625:5}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {dimensions = array<i64: 1>} : (tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:1}, {{0.5:3, 0.25:-7, 2.0, 0.75:5}, {1.5:3, 0.125:-7, 3.0, 0.0625:5}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<2x!quant.uniform<i32:f32, 0.125>>
  }
}
