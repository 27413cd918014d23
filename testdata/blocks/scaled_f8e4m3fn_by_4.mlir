// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Elements of f8E4M3FN, a power of two for each block of 4.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x44, 0x3C, 0xBC, 0x40, 0x00, 0xC0, 0x40, 0xC4], [0x3C, 0xC8, 0x38, 0x48, 0xBC, 0xC0, 0x40, 0x38]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x48, 0x40, 0x38, 0xB8, 0x3C, 0xB0, 0x30, 0xC0], [0xC0, 0x00, 0x40, 0xC4, 0x3C, 0x48, 0xB0, 0x48]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x7F, 0x80], [0x81, 0x81]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7E, 0x7F], [0x7E, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[21.75, -49.5], [-19.0, -55.0]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[19.5, -36.0], [-7.25, -20.25]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[27.0, -40.5], [-24.5, -66.5]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[21.75, -114.0], [-7.0, -55.0]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<2x8xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf8E4M3FN>, tensor<2x8xf8E4M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
