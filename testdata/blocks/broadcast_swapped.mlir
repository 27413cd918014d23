// clause: broadcast_in_dim: an element keeps its parameters where it moves (S10)
// Operand dimensions in another order need a transpose: here a vector becomes columns.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[5, 6, 3, 4]> : tensor<4xi4>
// expect: dense<[[5, 5, 5], [6, 6, 6], [3, 3, 3], [4, 4, 4]]> : tensor<4x3xi4>
// expect: dense<[[2.5, 2.5, 2.5], [3.0, 3.0, 3.0], [0.75, 0.75, 0.75], [1.0, 1.0, 1.0]]> : tensor<4x3xf32>
// wrong (scales per block left out): dense<[[5, 5, 5], [6, 6, 6], [3, 3, 3], [4, 4, 4]]> : tensor<4x3xi4>; dense<[[5.0, 5.0, 5.0], [6.0, 6.0, 6.0], [3.0, 3.0, 3.0], [4.0, 4.0, 4.0]]> : tensor<4x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[5, 5, 5], [6, 6, 6], [3, 3, 3], [4, 4, 4]]> : tensor<4x3xi4>; dense<[[1.25, 1.25, 1.25], [1.5, 1.5, 1.5], [1.5, 1.5, 1.5], [2.0, 2.0, 2.0]]> : tensor<4x3xf32>
// wrong (blocks half as long): dense<[[5, 5, 5], [6, 6, 6], [3, 3, 3], [4, 4, 4]]> : tensor<4x3xi4>; dense<[[2.5, 2.5, 2.5], [1.5, 1.5, 1.5], [1.5, 1.5, 1.5], [1.0, 1.0, 1.0]]> : tensor<4x3xf32>
// wrong (blocks twice as long): dense<[[5, 5, 5], [6, 6, 6], [3, 3, 3], [4, 4, 4]]> : tensor<4x3xi4>; dense<[[2.5, 2.5, 2.5], [3.0, 3.0, 3.0], [1.5, 1.5, 1.5], [2.0, 2.0, 2.0]]> : tensor<4x3xf32>
module {
  func.func @main(%arg0: tensor<4x!quant.uniform<i4:f32:{0:2}, {0.5, 0.25}>>) -> (tensor<4x3x!quant.uniform<i4:f32:{0:2}, {{0.5}, {0.25}}>>, tensor<4x3xf32>) {
    %r = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0>} : (tensor<4x!quant.uniform<i4:f32:{0:2}, {0.5, 0.25}>>) -> tensor<4x3x!quant.uniform<i4:f32:{0:2}, {{0.5}, {0.25}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<4x3x!quant.uniform<i4:f32:{0:2}, {{0.5}, {0.25}}>>) -> tensor<4x3xf32>
    func.return %r, %d : tensor<4x3x!quant.uniform<i4:f32:{0:2}, {{0.5}, {0.25}}>>, tensor<4x3xf32>
  }
}
