// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// Three operands: rhs is f32.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0xC8, 0xB8, 0xB0, 0x48, 0xB8, 0xBC, 0x30, 0xC8], [0xBC, 0xB0, 0xC0, 0x3C, 0x00, 0x3C, 0xB0, 0xC4]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0.5, 0.0, -1.0, -1.5, -1.0, 1.5, -4.0, 4.0], [-3.0, 0.5, -3.0, 0.0, -1.5, 1.0, 1.5, 4.0], [4.0, -1.5, -1.5, 3.0, 2.0, -1.0, 4.0, 1.0]]> : tensor<3x8xf32>
// args: dense<[[0x7D, 0x80], [0x7F, 0x7F]]> : tensor<2x2xf8E8M0FNU>
// expect: dense<[[-40.375, -27.25, -5.4375], [-8.75, -1.0, -4.25]]> : tensor<2x3xf32>
// wrong (scales per block left out): dense<[[-26.75, -2.25, -4.25], [-8.75, -1.0, -4.25]]> : tensor<2x3xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-19.8125, 22.1875, -4.125], [-8.75, -1.0, -4.25]]> : tensor<2x3xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<3x8xf32>, %arg2: tensor<2x2xf8E8M0FNU>) -> tensor<2x3xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2) : (tensor<2x8xf8E4M3FN>, tensor<3x8xf32>, tensor<2x2xf8E8M0FNU>) -> tensor<2x3xf32>
    func.return %r : tensor<2x3xf32>
  }
}
