// clause: broadcast_in_dim: an element keeps its parameters where it moves (S10)
// A row of one element, which is its own block, is repeated.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[34], [-36], [119]]> : tensor<3x1xi8>
// expect: dense<[[34, 34, 34, 34], [-36, -36, -36, -36], [119, 119, 119, 119]]> : tensor<3x4xi8>
// expect: dense<[[15.5, 15.5, 15.5, 15.5], [-7.25, -7.25, -7.25, -7.25], [238.0, 238.0, 238.0, 238.0]]> : tensor<3x4xf32>
// wrong (scales per block left out): dense<[[34, 34, 34, 34], [-36, -36, -36, -36], [119, 119, 119, 119]]> : tensor<3x4xi8>; dense<[[31.0, 31.0, 31.0, 31.0], [-29.0, -29.0, -29.0, -29.0], [119.0, 119.0, 119.0, 119.0]]> : tensor<3x4xf32>
// wrong (scale of the next block): dense<[[34, 34, 34, 34], [-36, -36, -36, -36], [119, 119, 119, 119]]> : tensor<3x4xi8>; dense<[[7.75, 7.75, 7.75, 7.75], [-58.0, -58.0, -58.0, -58.0], [59.5, 59.5, 59.5, 59.5]]> : tensor<3x4xf32>
// wrong (scale of the block before): dense<[[34, 34, 34, 34], [-36, -36, -36, -36], [119, 119, 119, 119]]> : tensor<3x4xi8>; dense<[[62.0, 62.0, 62.0, 62.0], [-14.5, -14.5, -14.5, -14.5], [29.75, 29.75, 29.75, 29.75]]> : tensor<3x4xf32>
// wrong (zero point of the next block): dense<[[34, 34, 34, 34], [-36, -36, -36, -36], [119, 119, 119, 119]]> : tensor<3x4xi8>; dense<[[20.5, 20.5, 20.5, 20.5], [-9.0, -9.0, -9.0, -9.0], [232.0, 232.0, 232.0, 232.0]]> : tensor<3x4xf32>
// wrong (zero point of the block before): dense<[[34, 34, 34, 34], [-36, -36, -36, -36], [119, 119, 119, 119]]> : tensor<3x4xi8>; dense<[[17.0, 17.0, 17.0, 17.0], [-9.75, -9.75, -9.75, -9.75], [252.0, 252.0, 252.0, 252.0]]> : tensor<3x4xf32>
// wrong (blocks twice as long): dense<[[34, 34, 34, 34], [-36, -36, -36, -36], [119, 119, 119, 119]]> : tensor<3x4xi8>; dense<[[15.5, 15.5, 15.5, 15.5], [-19.5, -19.5, -19.5, -19.5], [31.5, 31.5, 31.5, 31.5]]> : tensor<3x4xf32>
module {
  func.func @main(%arg0: tensor<3x1x!quant.uniform<i8:f32:{0:1}, {{0.5:3}, {0.25:-7}, {2.0}}>>) -> (tensor<3x4x!quant.uniform<i8:f32:{0:1}, {{0.5:3}, {0.25:-7}, {2.0}}>>, tensor<3x4xf32>) {
    %r = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3x1x!quant.uniform<i8:f32:{0:1}, {{0.5:3}, {0.25:-7}, {2.0}}>>) -> tensor<3x4x!quant.uniform<i8:f32:{0:1}, {{0.5:3}, {0.25:-7}, {2.0}}>>
    %d = stablehlo.uniform_dequantize %r : (tensor<3x4x!quant.uniform<i8:f32:{0:1}, {{0.5:3}, {0.25:-7}, {2.0}}>>) -> tensor<3x4xf32>
    func.return %r, %d : tensor<3x4x!quant.uniform<i8:f32:{0:1}, {{0.5:3}, {0.25:-7}, {2.0}}>>, tensor<3x4xf32>
  }
}
