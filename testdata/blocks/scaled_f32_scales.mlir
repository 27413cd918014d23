// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Scales in f32, as Qwix passes them: products are rounded.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// args: dense<[[0x3C, 0xB0, 0xC4, 0x40, 0xBC, 0x30, 0xB8, 0x40], [0xBC, 0x40, 0x40, 0x40, 0x48, 0xC0, 0xB0, 0xC0]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x40, 0x44, 0x44, 0xC4, 0x44, 0xC8, 0x00, 0xC4], [0xB8, 0x40, 0xC0, 0xC8, 0x44, 0xB8, 0xB0, 0xB0]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0.1, 0.1], [0.7, 0.7]]> : tensor<2x2xf32>
// args: dense<[[0.7, 0.3], [0.7, 0.3]]> : tensor<2x2xf32>
// expect: dense<[[-1.3199999, -0.48], [6.9300003, 0.017500073]]> : tensor<2x2xf32>
// permitted (balanced): dense<[[-1.3199999, -0.48], [6.9300003, 0.017500132]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-26.0, -1.0e+01], [29.0, 8.75]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-1.28, -0.52], [13.369999, 6.107499]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[-1.3200002, -3.36], [0.99000007, 0.017500073]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<2x8xf8E4M3FN>, %arg2: tensor<2x2xf32>, %arg3: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf8E4M3FN>, tensor<2x8xf8E4M3FN>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
