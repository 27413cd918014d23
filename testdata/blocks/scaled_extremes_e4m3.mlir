// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// The extremes of f8E4M3FN: 448, and 2^-9.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x7E, 0x01, 0xFE, 0x81], [0x07, 0x08, 0x7D, 0x00]]> : tensor<2x4xf8E4M3FN>
// args: dense<[[0x38, 0x38, 0x38, 0x38], [0x7E, 0x7E, 0x01, 0x01]]> : tensor<2x4xf8E4M3FN>
// args: dense<[[0x7D, 0x7E], [0x81, 0x80]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7E, 0x7E], [0x7F, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[-56.000244, 50176.0], [416.0586, 53.3125]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[0.0, 200704.0], [416.0293, 13.9375]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[56.000244, 50176.0], [832.0293, 16.375]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[-56.000244, 401408.88], [104.007324, 53.3125]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x4xf8E4M3FN>, %arg1: tensor<2x4xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x4xf8E4M3FN>, tensor<2x4xf8E4M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
