// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Elements of f8E5M2, a power of two for each block of 4.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0xBE, 0x44, 0xC4, 0x44, 0x40, 0x40, 0xC4, 0x42], [0xB8, 0x38, 0x3E, 0xC2, 0x44, 0x00, 0x40, 0x3E]]> : tensor<2x8xf8E5M2>
// args: dense<[[0x44, 0x40, 0xBE, 0x3E, 0xBE, 0xB8, 0x3E, 0x38], [0x44, 0x3E, 0x42, 0xBE, 0xC4, 0xBC, 0x40, 0xBC]]> : tensor<2x8xf8E5M2>
// args: dense<[[0x7D, 0x7F], [0x80, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7F, 0x7D], [0x81, 0x80]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[1.375, -6.0e+01], [-15.78125, 48.5]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[5.5, -39.0], [-1.0e+01, -5.75]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[1.375, -57.0], [-5.46875, -100.25]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[1.375, -38.625], [-12.25, 48.5]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E5M2>, %arg1: tensor<2x8xf8E5M2>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf8E5M2>, tensor<2x8xf8E5M2>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
