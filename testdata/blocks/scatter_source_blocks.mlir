// clause: select_and_scatter: sources are converted with their blocks' parameters
// Two sources of two scales go where the maxima are.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[1, 9, -4, 2]]> : tensor<1x4xi8>
// args: dense<[[5, 7]]> : tensor<1x2xi8>
// args: dense<3> : tensor<i8>
// expect: dense<[[3, 9, 3, 27]]> : tensor<1x4xi8>
// wrong (stored integers not converted to the body's type, as StableHLO's passes): dense<[[3, 5, 3, 7]]> : tensor<1x4xi8>
// wrong (saturated instead of wrapped): dense<[[3, 12, 3, 30]]> : tensor<1x4xi8>
// wrong (least stored integer, not requantized): dense<[[3, 3, 3, 3]]> : tensor<1x4xi8>
// wrong (scales per block left out): dense<[[3, 27, 3, 15]]> : tensor<1x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[3, 51, 3, 6]]> : tensor<1x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[3, 5, 3, 59]]> : tensor<1x4xi8>
// wrong (blocks twice as long): dense<[[3, 9, 3, 10]]> : tensor<1x4xi8>
module {
  func.func @main(%arg0: tensor<1x4x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<1x2x!quant.uniform<i8:f32:{1:1}, {{0.25:-7, 2.0:1}}>>, %arg2: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x4x!quant.uniform<i8:f32, 0.5:3>> {
    %r = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
    ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<!quant.uniform<i8:f32, 0.5:3>>):
      %p = stablehlo.compare GE, %a, %b : (tensor<!quant.uniform<i8:f32, 0.5:3>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }, {
    ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<!quant.uniform<i8:f32, 0.5:3>>):
      %s = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:3>>
      stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.5:3>>
    }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>} : (tensor<1x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<1x2x!quant.uniform<i8:f32:{1:1}, {{0.25:-7, 2.0:1}}>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x4x!quant.uniform<i8:f32, 0.5:3>>
    func.return %r : tensor<1x4x!quant.uniform<i8:f32, 0.5:3>>
  }
}
