// clause: reduce: every leaf is converted with its block's parameters
// All elements of a table of 2 by 2 blocks.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[-19, 19, 16, -13], [3, 3, 11, 17], [-17, -8, -11, -3], [19, -20, 7, 13]]> : tensor<4x4xi8>
// args: dense<7> : tensor<i8>
// expect: dense<-390> : tensor<i32>
// permitted (init value twice; init value first and last): dense<-374> : tensor<i32>
// permitted (init value before every element): dense<-134> : tensor<i32>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<24> : tensor<i32>
// wrong (init value not converted): dense<-399> : tensor<i32>
// wrong (largest stored integer, not requantized): dense<304> : tensor<i32>
// wrong (least stored integer, not requantized): dense<-320> : tensor<i32>
// wrong (scattered values overwrite each other): dense<64> : tensor<i32>
// wrong (scales per block left out): dense<120> : tensor<i32>
// wrong (scale of the next block; scale of the block before; blocks half as long): dense<-140> : tensor<i32>
// wrong (zero point of the next block; zero point of the block before): dense<-510> : tensor<i32>
// wrong (blocks twice as long): dense<-252> : tensor<i32>
module {
  func.func @main(%arg0: tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:3, 0.25:-7}, {2.0, 0.75:5}}>>, %arg1: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<!quant.uniform<i32:f32, 0.125>> {
    %r = "stablehlo.reduce"(%arg0, %arg1) ({
    ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.125>>, %b: tensor<!quant.uniform<i32:f32, 0.125>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.125>>
      stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.125>>
    }) {dimensions = array<i64: 0, 1>} : (tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:2}, {{0.5:3, 0.25:-7}, {2.0, 0.75:5}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<!quant.uniform<i32:f32, 0.125>>
    func.return %r : tensor<!quant.uniform<i32:f32, 0.125>>
  }
}
