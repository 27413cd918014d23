// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Every row and column has other scales; nothing is symmetric.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0xBC, 0x30, 0xB0, 0x3C, 0xC8, 0x30, 0xB0, 0x00], [0xB0, 0x3C, 0x3C, 0x38, 0xB8, 0x38, 0x3C, 0x38], [0x38, 0x3C, 0xB8, 0xC8, 0x44, 0x40, 0xC8, 0xBC]]> : tensor<3x8xf8E4M3FN>
// args: dense<[[0xBC, 0xC0, 0xC0, 0xC4, 0xB0, 0xB8, 0x30, 0x00], [0x30, 0x40, 0x00, 0x38, 0x38, 0x00, 0x38, 0x3C]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x7F, 0x80], [0x81, 0x82], [0x83, 0x84]]> : tensor<3x2xf8E8M0FNU>
// args: dense<[[0x7E, 0x7D], [0x7C, 0x85]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[-0.5, -575.78125], [-16.0, 1025.875], [32.0, -6657.0]]> : tensor<3x2xf32>
// wrong (scales per block left out): dense<[[-1.0, -2.75], [-8.0, 5.75], [4.0, -3.75]]> : tensor<3x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-0.5, 223.4375], [-16.0, 1921.0], [32.0, -1030.5]]> : tensor<3x2xf32>
// wrong (scales of the other operand): dense<[[-0.5, -5.5], [30.96875, 1025.875], [2.0, -7.5]]> : tensor<3x2xf32>
module {
  func.func @main(%arg0: tensor<3x8xf8E4M3FN>, %arg1: tensor<2x8xf8E4M3FN>, %arg2: tensor<3x2xf8E8M0FNU>, %arg3: tensor<2x2xf8E8M0FNU>) -> tensor<3x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<3x8xf8E4M3FN>, tensor<2x8xf8E4M3FN>, tensor<3x2xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>) -> tensor<3x2xf32>
    func.return %r : tensor<3x2xf32>
  }
}
