// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// The numbers of f4E2M1FN: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F], [0x07, 0x07, 0x07, 0x07, 0x07, 0x07, 0x07, 0x07, 0x07, 0x07, 0x07, 0x07, 0x07, 0x07, 0x07, 0x07]]> : tensor<2x16xf4E2M1FN>
// args: dense<[[0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04], [0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 0x00, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 0x00]]> : tensor<2x16xf4E2M1FN>
// args: dense<[[0x7E, 0x7D], [0x7E, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x81, 0x81], [0x80, 0x7D]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[0.0, 15.0], [4.8e+02, 135.0]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-18.0, 0.0], [144.0, 216.0]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-54.0, -15.0], [384.0, 135.0]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[0.0, -32.0], [54.0, 135.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x16xf4E2M1FN>, %arg1: tensor<2x16xf4E2M1FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x16xf4E2M1FN>, tensor<2x16xf4E2M1FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
