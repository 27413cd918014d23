// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Blocks of 2 and of 3 along 6 elements.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x30, 0xB8, 0xBC, 0x30, 0x40, 0x38], [0x40, 0xC4, 0x40, 0xC0, 0x30, 0xB8]]> : tensor<2x6xf8E4M3FN>
// args: dense<[[0x38, 0xB8, 0xB8, 0x48, 0xC4, 0x48], [0xB8, 0x00, 0x40, 0x40, 0xB8, 0xB0]]> : tensor<2x6xf8E4M3FN>
// args: dense<[[0x80, 0x81, 0x80], [0x7E, 0x7D, 0x80]]> : tensor<2x3xf8E8M0FNU>
// args: dense<[[0x7E, 0x7F], [0x7F, 0x7D]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[8.5, -13.25], [-12.0, -0.25]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[3.0, -5.0], [-10.5, -2.0]]> : tensor<2x2xf32>
// wrong (scale of the next block): dense<[[9.0, -5.0], [-12.125, -6.125]]> : tensor<2x2xf32>
// wrong (scale of the block before): dense<[[4.0, -9.75], [6.3125, -2.5]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[8.5, -1.6875], [-21.0, -0.75]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x6xf8E4M3FN>, %arg1: tensor<2x6xf8E4M3FN>, %arg2: tensor<2x3xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x6xf8E4M3FN>, tensor<2x6xf8E4M3FN>, tensor<2x3xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
