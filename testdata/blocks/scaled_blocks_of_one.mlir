// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// A scale for each element.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x38, 0x48, 0xB8, 0x30], [0xB8, 0x38, 0xBC, 0x00]]> : tensor<2x4xf8E4M3FN>
// args: dense<[[0x40, 0xC8, 0xC4, 0x30], [0xC0, 0x30, 0xB8, 0xB8], [0xC8, 0xB8, 0xB0, 0xBC]]> : tensor<3x4xf8E4M3FN>
// args: dense<[[0x80, 0x80, 0x7D, 0x7E], [0x7F, 0x7D, 0x81, 0x80]]> : tensor<2x4xf8E8M0FNU>
// args: dense<[[0x81, 0x7F, 0x7F, 0x80], [0x7D, 0x81, 0x7F, 0x7E], [0x81, 0x81, 0x7E, 0x81]]> : tensor<3x4xf8E8M0FNU>
// expect: dense<[[-15.0, 15.125, -65.4375], [9.0, 7.0, 16.5]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-10.75, 0.5, -8.25], [-1.5, 4.0, 3.75]]> : tensor<2x3xf32>
// wrong (scale of the next block): dense<[[5.0, -15.5, -37.5], [1.5, 5.5, 8.0]]> : tensor<2x3xf32>
// wrong (scale of the block before): dense<[[-119.9375, 8.375, -36.09375], [-22.875, 3.625, 28.75]]> : tensor<2x3xf32>
// wrong (scales of the other operand): dense<[[-15.0, -5.5, -40.625], [-31.875, 7.0, -5.8125]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x4xf8E4M3FN>, %arg1: tensor<3x4xf8E4M3FN>, %arg2: tensor<2x4xf8E8M0FNU>, %arg3: tensor<3x4xf8E8M0FNU>) -> tensor<2x3xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x4xf8E4M3FN>, tensor<3x4xf8E4M3FN>, tensor<2x4xf8E8M0FNU>, tensor<3x4xf8E8M0FNU>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
