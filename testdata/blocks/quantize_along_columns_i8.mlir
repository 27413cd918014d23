// clause: uniform_quantize: x / scale + zero_point of the element's block, rounded half to even
// Blocks of 2 along columns, the same in every row. Zero points differ from block to block.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[63.5, 0.24, 63.5, 0.24], [0.26, 0.26, 0.0, 0.24], [1.0, 0.24, 0.24, 63.5]]> : tensor<3x4xf32>
// expect: dense<[[127, 3, 127, -6], [4, 4, -7, -6], [5, 3, -6, 127]]> : tensor<3x4xi8>
// wrong (rounded toward zero): dense<[[127, 3, 127, -6], [3, 3, -7, -6], [5, 3, -6, 127]]> : tensor<3x4xi8>
// wrong (rounded down): dense<[[127, 3, 127, -7], [3, 3, -7, -7], [5, 3, -7, 127]]> : tensor<3x4xi8>
// wrong (wrapped instead of saturated): dense<[[-126, 3, -9, -6], [4, 4, -7, -6], [5, 3, -6, -9]]> : tensor<3x4xi8>
// wrong (scales per block left out): dense<[[66, 3, 56, -7], [3, 3, -7, -7], [4, 3, -7, 56]]> : tensor<3x4xi8>
// wrong (scale of the next block; scale of the block before): dense<[[127, 4, 120, -7], [4, 4, -7, -7], [7, 4, -7, 120]]> : tensor<3x4xi8>
// wrong (zero point of the next block; zero point of the block before): dense<[[120, -7, 127, 4], [-6, -6, 3, 4], [-5, -7, 4, 127]]> : tensor<3x4xi8>
// wrong (blocks half as long): dense<[[127, -6, 127, -6], [4, -6, 3, -6], [5, -6, 3, 127]]> : tensor<3x4xi8>
// wrong (blocks twice as long): dense<[[127, 3, 127, 3], [4, 4, 3, 3], [5, 3, 3, 127]]> : tensor<3x4xi8>
module {
  func.func @main(%arg0: tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>> {
    %r = "stablehlo.uniform_quantize"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
    func.return %r : tensor<3x4x!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>>
  }
}
