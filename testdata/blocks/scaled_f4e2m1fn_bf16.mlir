// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// In bf16: scaled elements, products and sums are rounded to it.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x0C, 0x0C, 0x0C, 0x00, 0x02, 0x0E, 0x06, 0x02], [0x04, 0x05, 0x04, 0x0A, 0x01, 0x01, 0x04, 0x05]]> : tensor<2x8xf4E2M1FN>
// args: dense<[[0x06, 0x09, 0x06, 0x04, 0x06, 0x02, 0x09, 0x06], [0x00, 0x03, 0x0C, 0x0A, 0x0A, 0x05, 0x02, 0x0C]]> : tensor<2x8xf4E2M1FN>
// args: dense<[[0x7F, 0x80], [0x81, 0x81]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x81, 0x7F], [0x7E, 0x81]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[-56.0, -87.5], [254.0, -45.0]]> : tensor<2x2xbf16>
// wrong (scales per block left out): dense<[[-13.0, -1.0e+01], [26.0, -1.5]]> : tensor<2x2xbf16>
// wrong (scale of the next block; scale of the block before): dense<[[-22.0, 2.5], [266.0, 18.0]]> : tensor<2x2xbf16>
// wrong (scales of the other operand): dense<[[-56.0, -28.0], [114.0, -45.0]]> : tensor<2x2xbf16>
module {
  func.func @main(%arg0: tensor<2x8xf4E2M1FN>, %arg1: tensor<2x8xf4E2M1FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xbf16> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf4E2M1FN>, tensor<2x8xf4E2M1FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xbf16>
    func.return %r : tensor<2x2xbf16>
  }
}
