// clause: broadcast_in_dim: an element keeps its parameters where it moves (S10)
// Blocks of one become blocks of two, as a table of scales is spread.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[6], [1]]> : tensor<2x1xui4>
// expect: dense<[[6, 6], [1, 1]]> : tensor<2x2xui4>
// expect: dense<[[3.0, 3.0], [0.25, 0.25]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[6, 6], [1, 1]]> : tensor<2x2xui4>; dense<[[6.0, 6.0], [1.0, 1.0]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[6, 6], [1, 1]]> : tensor<2x2xui4>; dense<[[1.5, 1.5], [0.5, 0.5]]> : tensor<2x2xf32>
// wrong (blocks twice as long): dense<[[6, 6], [1, 1]]> : tensor<2x2xui4>; dense<[[3.0, 3.0], [0.5, 0.5]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x1x!quant.uniform<u4:f32:{0:1}, {{0.5}, {0.25}}>>) -> (tensor<2x2x!quant.uniform<u4:f32:{0:1}, {{0.5}, {0.25}}>>, tensor<2x2xf32>) {
    %r = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1x!quant.uniform<u4:f32:{0:1}, {{0.5}, {0.25}}>>) -> tensor<2x2x!quant.uniform<u4:f32:{0:1}, {{0.5}, {0.25}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<2x2x!quant.uniform<u4:f32:{0:1}, {{0.5}, {0.25}}>>) -> tensor<2x2xf32>
    func.return %r, %d : tensor<2x2x!quant.uniform<u4:f32:{0:1}, {{0.5}, {0.25}}>>, tensor<2x2xf32>
  }
}
