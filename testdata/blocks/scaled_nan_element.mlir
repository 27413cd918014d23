// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// A NaN element: its row is NaN, whatever its scale.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x38, 0x40, 0x44, 0x7F, 0x38, 0x38, 0x38, 0x38], [0x38, 0x38, 0x38, 0x38, 0x38, 0x38, 0x38, 0x38]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x30, 0xBC, 0x44, 0xB0, 0x40, 0x38, 0xC4, 0xB8], [0xC8, 0x3C, 0x38, 0x00, 0xC0, 0xB0, 0xB0, 0x3C]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x7E, 0x7D], [0x7E, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x7E, 0x7D], [0x80, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[0x7FC00000, 0x7FC00000], [0.125, -2.25]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[0x7FC00000, 0x7FC00000], [0.5, -3.0]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[0x7FC00000, 0x7FC00000], [1.375, -2.25]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<2x8xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf8E4M3FN>, tensor<2x8xf8E4M3FN>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
