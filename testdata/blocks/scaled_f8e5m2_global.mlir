// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// A scale for all multiplies the sums.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0xC0, 0xC2, 0x3C, 0x44, 0xBC, 0x38, 0x00, 0xC2], [0x40, 0xBC, 0xBC, 0xBC, 0x00, 0x3E, 0xBC, 0xBC]]> : tensor<2x8xf8E5M2>
// args: dense<[[0x42, 0x38, 0xBE, 0xB8, 0xBE, 0xBE, 0x00, 0x3E], [0x44, 0x3C, 0xBE, 0xBE, 0x00, 0x40, 0x3E, 0xBE]]> : tensor<2x8xf8E5M2>
// args: dense<[[0x7F, 0x80], [0x7D, 0x7D]]> : tensor<2x2xf8E8M0FNU>
// args: dense<[[0x80, 0x7D], [0x7E, 0x81]]> : tensor<2x2xf8E8M0FNU>
// args: dense<0.7> : tensor<f32>
// expect: dense<[[-16.7125, 24.324999], [2.4609375, 2.975]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[-10.325, -9.099999], [2.625, 9.099999]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-9.099999, -101.674995], [-0.984375, 7.2625]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[-16.7125, -6.234375], [-18.375, 2.975]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E5M2>, %arg1: tensor<2x8xf8E5M2>, %arg2: tensor<2x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>, %arg4: tensor<f32>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<2x8xf8E5M2>, tensor<2x8xf8E5M2>, tensor<2x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>, tensor<f32>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
