// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Two batches, each with its own scales.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[[0xC0, 0xC8, 0xB0, 0x38, 0xC4, 0xB0, 0xB8, 0xB8], [0xBC, 0x30, 0xC8, 0x3C, 0xC0, 0xB8, 0xC8, 0xC0]], [[0x44, 0x40, 0xC0, 0x38, 0x38, 0x00, 0x40, 0xC8], [0x38, 0x38, 0xC4, 0x38, 0x48, 0x00, 0x44, 0xC8]]]> : tensor<2x2x8xf8E4M3FN>
// args: dense<[[[0x30, 0x38, 0x38, 0x44, 0x30, 0x40, 0xC0, 0xBC], [0xC8, 0xB0, 0x44, 0xC4, 0xC8, 0xB0, 0x40, 0x00], [0xC0, 0x48, 0x40, 0x40, 0x3C, 0x30, 0x00, 0xB8]], [[0xC4, 0x40, 0x40, 0x30, 0x48, 0x30, 0x30, 0xB0], [0x40, 0x38, 0xB0, 0x48, 0xC4, 0xC4, 0x30, 0x44], [0xBC, 0xB8, 0x3C, 0x3C, 0x48, 0x40, 0x44, 0x30]]]> : tensor<2x3x8xf8E4M3FN>
// args: dense<[[[0x7D, 0x7E], [0x80, 0x7E]], [[0x7F, 0x7E], [0x81, 0x7D]]]> : tensor<2x2x2xf8E8M0FNU>
// args: dense<[[[0x7F, 0x7F], [0x7E, 0x7F], [0x81, 0x7E]], [[0x81, 0x7E], [0x7F, 0x7E], [0x80, 0x7D]]]> : tensor<2x3x2xf8E8M0FNU>
// expect: dense<[[[-0.125, 5.8125, -11.9375], [4.5, -10.5, -0.375]], [[-32.25, 9.5, -15.0], [-101.5625, 31.1875, -42.5625]]]> : tensor<2x2x3xf32>
// wrong (scales per block left out): dense<[[[-1.5, 15.75, -14.75], [8.25, -10.25, -1.5]], [[-1.5, -1.0, 0.0], [13.0, -14.0, 17.5]]]> : tensor<2x2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[[-1.0, 4.03125, -6.5], [16.125, -4.875, -12.0]], [[25.875, -10.75, 15.0], [311.1875, -88.9375, 183.65625]]]> : tensor<2x2x3xf32>
// wrong (scales of the other operand): dense<[[[-0.125, 16.125, -4.625], [4.03125, -10.5, -0.75]], [[-32.25, 206.25, -3.0e+01], [-1.625, 31.1875, 0.25]]]> : tensor<2x2x3xf32>
module {
  func.func @main(%arg0: tensor<2x2x8xf8E4M3FN>, %arg1: tensor<2x3x8xf8E4M3FN>, %arg2: tensor<2x2x2xf8E8M0FNU>, %arg3: tensor<2x3x2xf8E8M0FNU>) -> tensor<2x2x3xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x2x8xf8E4M3FN>, tensor<2x3x8xf8E4M3FN>, tensor<2x2x2xf8E8M0FNU>, tensor<2x3x2xf8E8M0FNU>) -> tensor<2x2x3xf32>
    func.return %r : tensor<2x2x3xf32>
  }
}
