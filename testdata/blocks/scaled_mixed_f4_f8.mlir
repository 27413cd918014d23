// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Elements of 4 bits times elements of 8.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x0E, 0x09, 0x06, 0x01, 0x0E, 0x02, 0x0E, 0x03], [0x04, 0x09, 0x0A, 0x00, 0x03, 0x03, 0x0A, 0x0A]]> : tensor<2x8xf4E2M1FN>
// args: dense<[[0x38, 0x3C, 0x44, 0x38, 0x30, 0xC8, 0xC8, 0xC0], [0x40, 0x44, 0x48, 0xB8, 0x40, 0x00, 0xC8, 0x48]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x80, 0x7D], [0x81, 0x81]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x80, 0x7D], [0x80, 0x80]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[31.4375, 31.0], [-13.25, 12.0]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[14.75, 2.0e+01], [-1.0, 1.5]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[28.484375, 59.0], [4.25, 12.0]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[31.4375, 62.0], [-6.625, 12.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf4E2M1FN>, %arg1: tensor<2x8xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf4E2M1FN>, tensor<2x8xf8E4M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
