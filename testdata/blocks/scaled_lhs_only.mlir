// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Three operands: rhs has no scales.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x00, 0x3C, 0xB0, 0x38, 0xC4, 0x3C, 0xC0, 0xC4], [0xC8, 0xB8, 0xB0, 0x44, 0xC8, 0xC0, 0xBC, 0x30]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0xBC, 0xBC, 0x00, 0xB0, 0x40, 0x30, 0x3C, 0x3C], [0x30, 0x44, 0xBC, 0x48, 0x30, 0xB0, 0x48, 0xC0], [0xC0, 0xB8, 0x3C, 0x30, 0x40, 0x30, 0x30, 0xC4]]> : tensor<3x8xf8E4M3FN>
// args: dense<[[0x81, 0x7F], [0x7E, 0x7E]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[-23.75, 32.75, -4.25], [-2.25, -0.125, -0.75]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-15.5, 5.0, 1.0], [-4.5, -0.25, -1.5]]> : tensor<2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-53.75, -7.75, 9.25], [-2.25, -0.125, -0.75]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<3x8xf8E4M3FN>, %arg2: tensor<2x2xf8E8M0FNU>) -> tensor<2x3xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2) : (tensor<2x8xf8E4M3FN>, tensor<3x8xf8E4M3FN>, tensor<2x2xf8E8M0FNU>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
