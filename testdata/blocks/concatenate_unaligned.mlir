// clause: concatenate: an element keeps its parameters where it moves (S10)
// One element before blocks of two: blocks of one write the table.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[-13]]> : tensor<1x1xi8>
// args: dense<[[124, 21]]> : tensor<1x2xi8>
// expect: dense<[[-13, 124, 21]]> : tensor<1x3xi8>
// expect: dense<[[-26.0, 62.0, 10.5]]> : tensor<1x3xf32>
// wrong (scales per block left out): dense<[[-13, 124, 21]]> : tensor<1x3xi8>; dense<[[-13.0, 124.0, 21.0]]> : tensor<1x3xf32>
// wrong (scale of the next block): dense<[[-13, 124, 21]]> : tensor<1x3xi8>; dense<[[-6.5, 62.0, 42.0]]> : tensor<1x3xf32>
// wrong (scale of the block before): dense<[[-13, 124, 21]]> : tensor<1x3xi8>; dense<[[-6.5, 248.0, 10.5]]> : tensor<1x3xf32>
// wrong (blocks twice as long): dense<[[-13, 124, 21]]> : tensor<1x3xi8>; dense<[[-26.0, 248.0, 10.5]]> : tensor<1x3xf32>
module {
  func.func @main(%arg0: tensor<1x1x!quant.uniform<i8:f32, 2.0>>, %arg1: tensor<1x2x!quant.uniform<i8:f32:{1:2}, {{0.5}}>>) -> (tensor<1x3x!quant.uniform<i8:f32:{1:1}, {{2.0, 0.5, 0.5}}>>, tensor<1x3xf32>) {
    %r = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 1 : i64} : (tensor<1x1x!quant.uniform<i8:f32, 2.0>>, tensor<1x2x!quant.uniform<i8:f32:{1:2}, {{0.5}}>>) -> tensor<1x3x!quant.uniform<i8:f32:{1:1}, {{2.0, 0.5, 0.5}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<1x3x!quant.uniform<i8:f32:{1:1}, {{2.0, 0.5, 0.5}}>>) -> tensor<1x3xf32>
    func.return %r, %d : tensor<1x3x!quant.uniform<i8:f32:{1:1}, {{2.0, 0.5, 0.5}}>>, tensor<1x3xf32>
  }
}
