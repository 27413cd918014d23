// clause: custom_call @__op$block_scaled_dot: elements times scales in the result's type, then their products
// A scale of zero in f32.
// derivation: exact arithmetic in tools/cases/exact, and the oracle in spec/
// schedules: any
// args: dense<[[0x30, 0xC0, 0x38, 0xB0, 0xC0, 0x00, 0x44, 0x3C], [0xC4, 0x3C, 0x38, 0x00, 0xB0, 0x48, 0x00, 0xC0]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0x44, 0x40, 0x44, 0x40, 0xC8, 0x44, 0xB0, 0xBC], [0x3C, 0x38, 0x48, 0x3C, 0xC4, 0xC0, 0x48, 0x40]]> : tensor<2x8xf8E4M3FN>
// args: dense<[[0.0, 1.0], [2.0, 0.0]]> : tensor<2x2xf32>
// args: dense<[[1.5, 3.0], [0.25, 2.0]]> : tensor<2x2xf32>
// expect: dense<[[12.75, 42.0], [-9.0, 0.5]]> : tensor<2x2xf32>
// wrong (scales per block left out): dense<[[3.75, 23.0], [14.0, -9.5]]> : tensor<2x2xf32>
// wrong (scale of the next block; scale of the block before): dense<[[-1.5, 4.0], [51.0, -5.25]]> : tensor<2x2xf32>
// wrong (scales of the other operand): dense<[[12.75, 6.0], [34.0, 0.5]]> : tensor<2x2xf32>
module {
  func.func @main(%arg0: tensor<2x8xf8E4M3FN>, %arg1: tensor<2x8xf8E4M3FN>, %arg2: tensor<2x2xf32>, %arg3: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %r = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) : (tensor<2x8xf8E4M3FN>, tensor<2x8xf8E4M3FN>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
