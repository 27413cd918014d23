// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// One block for each row.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x3C, 0xBC, 0x48, 0x3C, 0x40, 0xC4, 0xB8, 0x48], [0xB8, 0x44, 0xC0, 0xB8, 0xB8, 0xB8, 0xB0, 0x38]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0xC8, 0x48, 0xC8, 0x00, 0xC0, 0xC0, 0x48, 0x3C], [0xB8, 0xC8, 0xC0, 0x3C, 0xC8, 0xB8, 0x38, 0xC8], [0xB0, 0xC0, 0x38, 0x48, 0x30, 0xC4, 0x00, 0xC8]]> : tensor<3x8xf8E4M3FN>
// args: dense<[[0x7D], [0x7D]]> : tensor<2x1xf8E8M0FNU>
// args: dense<[[0x7F], [0x80], [0x7D]]> : tensor<3x1xf8E8M0FNU>
// expect: dense<[[-6.0, -11.625, 0.390625], [6.875, -4.0, -0.8125]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-24.0, -23.25, 6.25], [27.5, -8.0, -13.0]]> : tensor<2x3xf32>
// wrong (scales of the other operand): dense<[[-6.0, -5.8125, 1.5625], [13.75, -4.0, -6.5]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<3x8xf8E4M3FN>, %arg2: tensor<2x1xf8E8M0FNU>, %arg3: tensor<3x1xf8E8M0FNU>) -> tensor<2x3xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf8E4M3FN>, tensor<3x8xf8E4M3FN>, tensor<2x1xf8E8M0FNU>, tensor<3x1xf8E8M0FNU>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
